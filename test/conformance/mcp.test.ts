/** Memories as tools through the official clients of MCP, unmodified: of the protocol of 2026-07-28 and of those before. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { bootTest } from 'plugboard/testing';
import memory from '../../plugins/memory/index.js';

async function start(t: TestContext) {
  const server = await bootTest({ plugins: [{ plugin: memory }] });
  t.after(() => server.stop());
  return { server, url: await server.listen() };
}

type Connect = (url: URL, headers: Record<string, string>) => Promise<Connected>;
interface Connected {
  listTools(): Promise<{ tools: { name: string; inputSchema: object }[] }>;
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  close(): Promise<void>;
}

const about = { name: 'test', version: '1' };
const CLIENTS: Readonly<Record<string, Connect>> = {
  'the client as it is by default': async (url, headers) => {
    const client = new Client(about);
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
    return client as unknown as Connected;
  },
  'the client with the protocol of 2026-07-28': async (url, headers) => {
    const client = new Client(about, { versionNegotiation: { mode: 'auto' } });
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
    return client as unknown as Connected;
  },
  'the client of the SDK before': async (url, headers) => {
    const client = new OlderClient(about);
    await client.connect(new OlderTransport(url, { requestInit: { headers } }) as never);
    return client as unknown as Connected;
  },
};

/** What a tool told, or how it refused. */
async function call(
  client: Connected,
  name: string,
  args: object,
): Promise<{ isError: boolean; told: string }> {
  const answer = (await client.callTool({ name, arguments: { ...args } })) as {
    isError?: boolean;
    content: { text: string }[];
  };
  return { isError: answer.isError === true, told: answer.content.map(({ text }) => text).join('') };
}

async function ask<T>(client: Connected, name: string, args: object): Promise<T> {
  const { isError, told } = await call(client, name, args);
  assert.equal(isError, false, told);
  return JSON.parse(told) as T;
}

interface Memory {
  readonly id: string;
  readonly memory: string;
}
interface Page {
  readonly results: Memory[];
}

for (const [kind, connect] of Object.entries(CLIENTS)) {
  test(`${kind} adds, searches, lists, updates and deletes, on both paths and with both schemes`, async (t) => {
    const { server, url } = await start(t);
    const key = await server.key('memory');
    const client = await connect(new URL(`${url}/mcp`), { authorization: `Bearer ${key}` });
    t.after(() => client.close());
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map(({ name }) => name),
      [
        'add_memory',
        'search_memories',
        'get_memories',
        'get_memory',
        'update_memory',
        'delete_memory',
        'memory_history',
      ],
    );
    assert.ok(tools.every(({ inputSchema }) => 'properties' in inputSchema));
    const { results } = await ask<Page>(client, 'add_memory', { text: 'I drink green tea.' });
    const [{ id: memory_id } = { id: '' }] = results;
    await ask(client, 'add_memory', { text: 'Bob eats bread.', user_id: 'bob', metadata: { kind: 'food' } });
    const found = await ask<Page>(client, 'search_memories', { query: 'which tea?', limit: 1 });
    assert.deepEqual(
      found.results.map(({ memory: text }) => text),
      ['I drink green tea.'],
    );
    const bobs = await ask<Page>(client, 'get_memories', { user_id: 'bob' });
    assert.deepEqual(
      bobs.results.map(({ memory: text }) => text),
      ['Bob eats bread.'],
    );
    await ask(client, 'update_memory', { memory_id, text: 'I drink black tea.' });
    assert.equal((await ask<Memory>(client, 'get_memory', { memory_id })).memory, 'I drink black tea.');
    const { events } = await ask<{ events: { event: string }[] }>(client, 'memory_history', { memory_id });
    assert.deepEqual(
      events.map(({ event }) => event),
      ['ADD', 'UPDATE'],
    );

    const other = await server.key('memory');
    const stranger = await connect(new URL(`${url}/mcp/`), { authorization: `Token ${other}` });
    t.after(() => stranger.close());
    assert.deepEqual((await ask<Page>(stranger, 'search_memories', { query: 'tea' })).results, []);
    assert.deepEqual((await ask<Page>(stranger, 'get_memories', {})).results, []);
    for (const [name, args] of [
      ['get_memory', { memory_id }],
      ['update_memory', { memory_id, text: 'mine' }],
      ['delete_memory', { memory_id }],
      ['memory_history', { memory_id }],
    ] as const) {
      const refused = await call(stranger, name, args);
      assert.equal(refused.isError, true, name);
      assert.match(refused.told, /there is no memory/);
    }
    await ask(client, 'delete_memory', { memory_id });
    assert.equal((await call(client, 'get_memory', { memory_id })).isError, true);
  });

  test(`${kind} is told by the tool what is wrong with its arguments, and is refused without a key or the scope`, async (t) => {
    const { server, url } = await start(t);
    const to = new URL(`${url}/mcp`);
    const client = await connect(to, { authorization: `Bearer ${await server.key('memory')}` });
    t.after(() => client.close());
    for (const [name, args, why] of [
      ['add_memory', {}, /text/],
      ['add_memory', { text: 'a', colour: 'red' }, /additional/],
      ['search_memories', { query: 'a', filters: { colour: 'red' } }, /unknown filter "colour"/],
      ['search_memories', { query: 'a', as_of: 'soon' }, /must be a date/],
      ['get_memories', { page_size: 1000 }, /page_size/],
    ] as const) {
      const refused = await call(client, name, args);
      assert.equal(refused.isError, true, name);
      assert.match(refused.told, why);
    }
    await assert.rejects(connect(to, {}));
    await assert.rejects(connect(to, { authorization: `Bearer ${await server.key('manage')}` }));
  });
}

test('what is no call of MCP is refused in its shape: a GET, a batch, an unknown version, a page of another site', async (t) => {
  const { server, url } = await start(t);
  const authorization = `Bearer ${await server.key('memory')}`;
  const post = async (body: unknown, headers: Record<string, string> = {}) => {
    const accept = 'application/json, text/event-stream';
    const answer = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: { authorization, accept, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    return { answer, text: await answer.text() };
  };
  const get = await fetch(`${url}/mcp`, { headers: { authorization, accept: 'text/event-stream' } });
  assert.deepEqual([get.status, get.headers.get('allow')], [405, 'POST']);
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  assert.equal((await post([list, list])).answer.status, 400);
  assert.equal((await post(list, { 'mcp-protocol-version': '1999-01-01' })).answer.status, 400);
  assert.equal((await post(list, { accept: 'text/html' })).answer.status, 406);
  const listen = { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params: { notifications: {} } };
  const modern = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' };
  assert.ok((await post(listen, modern)).answer.status >= 400, 'no stream is kept open');
  const unknown = await fetch(`${url}/mcp`, { method: 'POST', headers: { authorization: 'Bearer wrong' } });
  assert.equal(unknown.status, 401);
  assert.match(unknown.headers.get('www-authenticate') ?? '', /^Bearer/);
  const told = (await unknown.json()) as { jsonrpc: string; error: { message: string } };
  assert.equal(told.jsonrpc, '2.0');
  const foreign = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { origin: 'https://evil.example', 'content-type': 'application/json' },
    body: JSON.stringify(list),
  });
  assert.equal(foreign.status, 403);
});
