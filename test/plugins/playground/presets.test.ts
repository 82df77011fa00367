import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MODELS, type Models } from 'plugboard/sdk';
import { bootTest, fake, type TestServer } from 'plugboard/testing';
import playground from '../../../plugins/playground/index.js';

const PATH = '/api/playground/presets';
const PRESET = { name: 'n', endpoint: 'chat.completions', model: 'a/m' };

const boot = (config: object = {}): Promise<TestServer> =>
  bootTest({
    provide: [fake(MODELS, {} as Models)],
    plugins: [{ plugin: playground, config }],
    clock: { now: () => 1_700_000_000_123 },
  });

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

const keys = new WeakMap<TestServer, Promise<string>>();

/** One key for each server, unless another one is given. */
const keyOf = (server: TestServer): Promise<string> => {
  const key = keys.get(server) ?? server.key();
  keys.set(server, key);
  return key;
};

const call = async (server: TestServer, method: Method, url: string, payload?: object, key?: string) => {
  const headers = { authorization: `Bearer ${key ?? (await keyOf(server))}` };
  const answer = await server.inject({ method, url, headers, ...(payload && { payload }) });
  return {
    status: answer.statusCode,
    body: answer.body === '' ? undefined : answer.json<Record<string, never>>(),
  };
};

test('a preset is created with its defaults, read, replaced as a whole and deleted', async () => {
  await using server = await boot();
  const created = await call(server, 'POST', PATH, {
    ...PRESET,
    params: { temperature: 0.5, $x: { 'a.b': 1 } },
  });
  assert.equal(created.status, 201);
  const { id, ...rest } = created.body as unknown as { id: string };
  const times = { created_at: '2023-11-14T22:13:20.123Z', updated_at: '2023-11-14T22:13:20.123Z' };
  assert.deepEqual(rest, {
    ...PRESET,
    system: null,
    params: { temperature: 0.5, $x: { 'a.b': 1 } },
    ...times,
  });
  assert.deepEqual((await call(server, 'GET', `${PATH}/${id}`)).body, created.body);

  const replaced = await call(server, 'PUT', `${PATH}/${id}`, { ...PRESET, name: 'other', system: 's' });
  assert.deepEqual(replaced.body, { id, ...PRESET, name: 'other', system: 's', params: {}, ...times });

  assert.deepEqual(await call(server, 'DELETE', `${PATH}/${id}`), { status: 204, body: undefined });
  assert.equal((await call(server, 'GET', `${PATH}/${id}`)).status, 404);
  assert.equal((await call(server, 'DELETE', `${PATH}/${id}`)).status, 404);
});

test('what was answered may be sent back: members that a preset does not have are left out of account', async () => {
  await using server = await boot();
  const created = (await call(server, 'POST', PATH, PRESET)).body as unknown as { id: string };
  const answer = await call(server, 'PUT', `${PATH}/${created.id}`, { ...created, id: 'other', extra: 1 });
  assert.deepEqual(answer, { status: 200, body: created });
});

test('those of one millisecond are listed by id', async () => {
  await using server = await boot();
  for (const name of ['1', '2', '3', '4']) await call(server, 'POST', PATH, { ...PRESET, name });
  const { presets } = (await call(server, 'GET', PATH)).body as unknown as { presets: { id: string }[] };
  const ids = presets.map(({ id }) => id);
  assert.equal(ids.length, 4);
  assert.deepEqual(ids, ids.toSorted());
});

test("another key's preset is not there for any method", async () => {
  await using server = await boot();
  const { id } = (await call(server, 'POST', PATH, PRESET)).body as unknown as { id: string };
  const other = await server.key();
  for (const method of ['GET', 'PUT', 'DELETE'] as const) {
    const answer = await call(server, method, `${PATH}/${id}`, method === 'PUT' ? PRESET : undefined, other);
    assert.equal(answer.status, 404, method);
  }
  assert.deepEqual((await call(server, 'GET', PATH, undefined, other)).body, { presets: [] });
  assert.equal((await call(server, 'GET', `${PATH}/${id}`)).status, 200);
});

test('a malformed id is 404', async () => {
  await using server = await boot();
  const answer = await call(server, 'GET', `${PATH}/not-a-uuid`);
  assert.equal(answer.status, 404);
  assert.equal((answer.body as unknown as { error: { code: string } }).error.code, 'preset_not_found');
});

for (const [name, change, param] of [
  ['no name', { name: undefined }, 'name'],
  ['an empty name', { name: '' }, 'name'],
  ['a name of 101 characters', { name: 'x'.repeat(101) }, 'name'],
  ['no endpoint', { endpoint: undefined }, 'endpoint'],
  ['an empty model', { model: '' }, 'model'],
  ['a system prompt of 50001 characters', { system: 'x'.repeat(50_001) }, 'system'],
  ['params that are a list', { params: [] }, 'params'],
] as const) {
  test(`${name} is 400 for POST and PUT`, async () => {
    await using server = await boot();
    const { id } = (await call(server, 'POST', PATH, PRESET)).body as unknown as { id: string };
    for (const [method, url] of [
      ['POST', PATH],
      ['PUT', `${PATH}/${id}`],
    ] as const) {
      const answer = await call(server, method, url, { ...PRESET, ...change });
      const { error } = answer.body as unknown as { error: { code: string; param: string } };
      assert.deepEqual([answer.status, error.code, error.param], [400, 'invalid_request', param]);
    }
  });
}

test('a name of 100 and a system prompt of 50000 characters are taken', async () => {
  await using server = await boot();
  const preset = { ...PRESET, name: 'x'.repeat(100), system: 'y'.repeat(50_000) };
  assert.equal((await call(server, 'POST', PATH, preset)).status, 201);
});

test('one preset too many is refused with what to do', async () => {
  await using server = await boot({ maxPresets: 1 });
  await call(server, 'POST', PATH, PRESET);
  const answer = await call(server, 'POST', PATH, PRESET);
  assert.equal(answer.status, 409);
  assert.match(JSON.stringify(answer.body), /delete one first/);
});

test('every route is 401 without a key', async () => {
  await using server = await boot();
  for (const method of ['GET', 'PUT', 'DELETE'] as const) {
    assert.equal((await server.inject({ method, url: `${PATH}/x`, payload: PRESET })).statusCode, 401);
  }
  assert.equal((await server.inject({ method: 'POST', url: PATH, payload: PRESET })).statusCode, 401);
});
