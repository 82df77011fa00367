/** What endpoints are told of events, authorizations, rows, memories and the speech allowance. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { bootTest, type AnyPlugin, type TestServer } from 'plugboard/testing';
import authorizations from '../../plugins/authorizations/index.js';
import changes from '../../plugins/changes/index.js';
import dataquery from '../../plugins/dataquery/index.js';
import events from '../../plugins/events/index.js';
import memory from '../../plugins/memory/index.js';
import speech from '../../plugins/speech/index.js';
import { eventually } from '../support/eventually.js';
import { receiver, type Receiver } from '../support/peers/receiver.js';
import { eachStore, type StoreConfig } from '../support/stores.js';
import { speechUpstream, tone } from '../plugins/speech/upstream-server.js';

const CATALOG = `
exposed: [public]
schemas:
  public:
    relations:
      makers:
        columns: { id: { type: bigint, required: true }, name: text }
        primaryKey: [id]
      cars:
        columns: { id: { type: integer, required: true }, maker: bigint }
        primaryKey: [id]
        foreignKeys:
          cars_maker_fkey:
            { columns: [maker], references: { relation: makers, columns: [id] }, onDelete: cascade }
`;

interface Told extends AsyncDisposable {
  readonly server: TestServer;
  readonly to: Receiver;
  call(method: string, url: string, body?: object, authorization?: string): Promise<Answer>;
  told(count: number): Promise<[type: string, subject: string, data: unknown][]>;
}

interface Answer {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

async function listening(
  storage: StoreConfig,
  types: string[],
  plugin: AnyPlugin,
  config: object = {},
): Promise<Told> {
  const to = await receiver();
  const server = await bootTest({
    storage,
    plugins: [
      { plugin: changes, config: { poll: 10, allowPrivate: true } },
      { plugin, config },
    ],
  });
  const key = `Bearer ${await server.key('manage')}`;
  const call: Told['call'] = async (method, url, body, authorization = key) => {
    const headers = { authorization, ...(body && { 'content-type': 'application/json' }) };
    const payload = body && { payload: JSON.stringify(body) };
    const answer = await server.inject({ method: method as 'GET', url, headers, ...payload });
    return { status: answer.statusCode, body: answer.body === '' ? undefined : answer.json() };
  };
  assert.equal((await call('POST', '/api/changes/endpoints', { url: to.url, types })).status, 201);
  return {
    server,
    to,
    call,
    async told(count) {
      await eventually(() => to.received.length >= count, `${count} changes are told`);
      return to.received.map(({ event: { type, subject, data } }) => [type, subject, data]);
    },
    [Symbol.asyncDispose]: async () => {
      await server.stop();
      await to[Symbol.asyncDispose]();
    },
  };
}

eachStore('changes of plugins', (store) => {
  test('an event that is published is told in order for its repository, and one that is known is not', async () => {
    await using on = await listening(await store.fresh(), ['events.*'], events);
    const event = (id: string, type: string) => ({
      id,
      type,
      actor: { id: 7, login: 'ann' },
      repo: { id: 9, name: 'ann/tools' },
      payload: { ref: 'refs/heads/main' },
      created_at: new Date().toISOString(),
    });
    await on.call('POST', '/api/events', { events: [event('1', 'PushEvent')] });
    await on.call('POST', '/api/events', { events: [event('1', 'PushEvent')] });
    await on.call('POST', '/api/events', { events: [event('2', 'PullRequestReviewEvent')] });
    const told = await on.told(2);
    assert.deepEqual(
      told.map(([type, subject]) => [type, subject]),
      [
        ['events.push', 'ann/tools'],
        ['events.pull_request_review', 'ann/tools'],
      ],
    );
    const { created_at: _, ...data } = told[0]![2] as { created_at: string };
    assert.deepEqual(data, {
      id: '1',
      type: 'PushEvent',
      public: false,
      payload: { ref: 'refs/heads/main' },
      actor: { id: 7, login: 'ann' },
      repo: { id: 9, name: 'ann/tools' },
    });
  });

  test('authorizations are told when they are made, changed and revoked, without their tokens', async () => {
    await using on = await listening(await store.fresh(), ['authorization.*'], authorizations);
    await on.server.command(['users', 'create', 'ann', '--password-stdin'], 'correct horse 12\n');
    const ann = `Basic ${Buffer.from('ann:correct horse 12').toString('base64')}`;
    const { body } = await on.call('POST', '/authorizations', { note: 'one', scopes: ['repo'] }, ann);
    const at = `/authorizations/${body.id}`;
    await on.call('PATCH', at, { add_scopes: ['gist'] }, ann);
    assert.equal((await on.call('DELETE', at, undefined, ann)).status, 204);
    const data = { id: body.id, user_id: 1, client_id: null };
    assert.deepEqual(await on.told(3), [
      ['authorization.created', String(body.id), { ...data, scopes: ['repo'] }],
      ['authorization.updated', String(body.id), { ...data, scopes: ['repo', 'gist'] }],
      ['authorization.revoked', String(body.id), { ...data, scopes: ['repo', 'gist'] }],
    ]);
    assert.ok(!JSON.stringify(on.to.received).includes(String(body.token)));
  });

  test('rows are told with what they were, those of a cascade too, and nothing of what was undone', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'catalog-'));
    t.after(() => rm(folder, { recursive: true }));
    const catalog = join(folder, 'catalog.yaml');
    await writeFile(catalog, CATALOG);
    await using on = await listening(await store.fresh(), ['rows.public.*'], dataquery, { catalog });
    const key = `Bearer ${await on.server.key('data:read', 'data:write')}`;
    const call = (method: string, path: string, body?: object) => on.call(method, `/data${path}`, body, key);
    const big = '9007199254740993';
    assert.equal((await call('POST', '/makers', [{ id: big, name: 'Saab' }])).status, 201);
    assert.equal((await call('POST', '/cars', [{ id: 1, maker: big }])).status, 201);
    assert.equal((await call('POST', '/cars', [{ id: 2, maker: 404 }])).status, 409);
    assert.equal((await call('PATCH', '/makers?name=eq.Saab', { name: 'SAAB' })).status, 204);
    assert.equal((await call('DELETE', `/makers?id=eq.${big}`)).status, 204);
    const maker = (name: string) => ({ id: big, name });
    const car = { id: 1, maker: big };
    const row = (table: string, type: string, record: object | null, old: object | null) => ({
      ...{ type, schema: 'public', table, record, old_record: old },
    });
    const told = await on.told(5);
    const of = (table: string) => told.filter(([type]) => type.startsWith(`rows.public.${table}.`));
    assert.deepEqual(of('makers'), [
      ['rows.public.makers.inserted', `public.makers/${big}`, row('makers', 'INSERT', maker('Saab'), null)],
      [
        'rows.public.makers.updated',
        `public.makers/${big}`,
        row('makers', 'UPDATE', maker('SAAB'), maker('Saab')),
      ],
      ['rows.public.makers.deleted', `public.makers/${big}`, row('makers', 'DELETE', null, maker('SAAB'))],
    ]);
    assert.deepEqual(of('cars'), [
      ['rows.public.cars.inserted', 'public.cars/1', row('cars', 'INSERT', car, null)],
      ['rows.public.cars.deleted', 'public.cars/1', row('cars', 'DELETE', null, car)],
    ]);
  });

  test('memories are told when they are made, written again and deleted, without what they say', async () => {
    await using on = await listening(await store.fresh(), ['memory.*'], memory);
    const entry = { key: 'tea', type: 'semantic', content: 'Kim likes green tea.' };
    const { body } = await on.call('POST', '/api/memory', entry);
    await on.call('POST', '/api/memory', { ...entry, content: 'Kim likes black tea.' });
    await on.call('PUT', `/api/memory/${body.id}`, { content: 'Kim likes no tea.' });
    assert.equal((await on.call('DELETE', `/api/memory/${body.id}`)).status, 200);
    const told = await on.told(4);
    assert.deepEqual(
      told.map(([type, subject]) => [type, subject]),
      ['created', 'updated', 'updated', 'deleted'].map((kind) => [`memory.${kind}`, body.id]),
    );
    const { apiKeyId, ...data } = told[0]![2] as { apiKeyId: string };
    assert.equal(apiKeyId, body.apiKeyId);
    const shown = {
      id: body.id,
      userId: null,
      key: 'tea',
      type: 'semantic',
      sessionId: null,
      archived: false,
    };
    assert.deepEqual(data, shown);
    assert.ok(!JSON.stringify(on.to.received).includes('green'));
  });

  test("a key's plan of speech is told when it changes, and the month once, when it is used up", async () => {
    await using upstream = await speechUpstream((response) => response.end(tone(1)));
    await using on = await listening(await store.fresh(), ['speech.*'], speech, {
      engines: ['a'],
      upstreams: [{ name: 'a', baseUrl: upstream.baseUrl }],
      pauses: { sentence: 0, paragraph: 0, comma: 0, release: 0 },
    });
    const words = ['keys', 'create', 'one', '--scope', 'speech', '--json'];
    const { id, key } = JSON.parse((await on.server.command(words)).stdout) as { id: string; key: string };
    const plan = `/api/v1/plans/${id}`;
    assert.equal((await on.call('DELETE', plan)).status, 200);
    assert.equal((await on.call('PUT', plan, { seconds: 2 })).status, 200);
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    for (const [input, status] of [
      ['하나.', 200],
      ['둘.', 200],
      ['셋.', 403],
    ]) {
      const payload = JSON.stringify({ voice: 'sera', input });
      const url = '/api/v1/audio/speech';
      assert.equal((await on.server.inject({ method: 'POST', url, headers, payload })).statusCode, status);
    }
    assert.equal((await on.call('DELETE', plan)).status, 200);
    const told = await on.told(4);
    const ofMonth = told.filter(([type]) => type === 'speech.allowance.exhausted');
    assert.deepEqual(
      told
        .filter(([type]) => type === 'speech.allowance.changed')
        .map(([, subject, data]) => [subject, data]),
      [true, false, true].map((isDefault) => {
        const seconds = isDefault ? 3_600 : 2;
        return [id, { key: id, seconds, default: isDefault }];
      }),
    );
    const month = (ofMonth[0]?.[2] as { month: string } | undefined)?.month;
    assert.deepEqual(ofMonth, [['speech.allowance.exhausted', id, { key: id, month, seconds: 2 }]]);
    assert.match(month ?? '', /^\d{4}-\d\d$/);
  });
});
