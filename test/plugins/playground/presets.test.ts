import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { MODELS, type Models } from 'plugboard/sdk';
import { bootTest, fake, type TestServer } from 'plugboard/testing';
import playground from '../../../plugins/playground/index.js';
import { eachStore, type StoreConfig } from '../../support/stores.js';

const PATH = '/api/playground/presets';
const PRESET = { name: 'n', endpoint: 'chat.completions', model: 'a/m' };

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

interface Answer<T> {
  readonly status: number;
  readonly body: T;
}

interface Failed {
  readonly error: { readonly code: string; readonly param: string | null; readonly message: string };
}

interface Saved {
  readonly id: string;
}

type Call = <T>(method: Method, url: string, payload?: object) => Promise<Answer<T>>;

function boot(storage: StoreConfig, config: object = {}): Promise<TestServer> {
  return bootTest({
    storage,
    provide: [fake(MODELS, {} as Models)],
    plugins: [{ plugin: playground, config }],
    clock: { now: () => 1_700_000_000_123 },
  });
}

/** Calls with a key of its own, which has no presets yet. */
async function caller(server: TestServer): Promise<Call> {
  const headers = { authorization: `Bearer ${await server.key()}` };
  return async <T>(method: Method, url: string, payload?: object) => {
    const answer = await server.inject({ method, url, headers, ...(payload && { payload }) });
    return { status: answer.statusCode, body: (answer.body === '' ? undefined : answer.json()) as T };
  };
}

eachStore('presets', (store) => {
  let server: TestServer;
  let call: Call;

  before(async () => {
    server = await boot(await store.fresh());
  });
  beforeEach(async () => {
    call = await caller(server);
  });
  after(() => server.stop());

  test('a page has as many as were asked for, and all pages together have each preset once', async () => {
    for (let made = 0; made < 7; made += 1) await call('POST', PATH, { ...PRESET, name: `n${made}` });
    const all = (await call<{ presets: Saved[] }>('GET', PATH)).body.presets.map(({ id }) => id);
    const seen: string[] = [];
    const sizes: number[] = [];
    for (let after: string | null = ''; after !== null;) {
      const url: string = `${PATH}?limit=3${after && `&after=${after}`}`;
      const { body }: Answer<{ presets: Saved[]; next: string | null }> = await call('GET', url);
      sizes.push(body.presets.length);
      seen.push(...body.presets.map(({ id }) => id));
      after = body.next;
    }
    assert.deepEqual(sizes, [3, 3, 1]);
    assert.deepEqual(seen, all);
    for (const query of ['limit=0', 'limit=x', 'after=nonsense']) {
      const refused = await call<Failed>('GET', `${PATH}?${query}`);
      assert.deepEqual([refused.status, refused.body.error.param], [400, query.split('=')[0]]);
    }
  });

  test('a preset is created with its defaults, read, replaced as a whole and deleted', async () => {
    const created = await call<Saved>('POST', PATH, {
      ...PRESET,
      params: { temperature: 0.5, $x: { 'a.b': 1 } },
    });
    assert.equal(created.status, 201);
    const { id, ...rest } = created.body;
    const times = { created_at: '2023-11-14T22:13:20.123Z', updated_at: '2023-11-14T22:13:20.123Z' };
    assert.deepEqual(rest, {
      ...PRESET,
      system: null,
      params: { temperature: 0.5, $x: { 'a.b': 1 } },
      ...times,
    });
    assert.deepEqual((await call('GET', `${PATH}/${id}`)).body, created.body);

    const replaced = await call('PUT', `${PATH}/${id}`, { ...PRESET, name: 'other', system: 's' });
    assert.deepEqual(replaced.body, { id, ...PRESET, name: 'other', system: 's', params: {}, ...times });

    assert.deepEqual(await call('DELETE', `${PATH}/${id}`), { status: 204, body: undefined });
    assert.equal((await call('GET', `${PATH}/${id}`)).status, 404);
    assert.equal((await call('DELETE', `${PATH}/${id}`)).status, 404);
  });

  test('what was answered may be sent back: members that a preset does not have are left out of account', async () => {
    const created = (await call<Saved>('POST', PATH, PRESET)).body;
    const answer = await call('PUT', `${PATH}/${created.id}`, { ...created, id: 'other', extra: 1 });
    assert.deepEqual(answer, { status: 200, body: created });
  });

  test('those of one millisecond are listed by id', async () => {
    for (const name of ['1', '2', '3', '4']) await call('POST', PATH, { ...PRESET, name });
    const { presets } = (await call<{ presets: Saved[] }>('GET', PATH)).body;
    const ids = presets.map(({ id }) => id);
    assert.equal(ids.length, 4);
    assert.deepEqual(ids, ids.toSorted());
  });

  test("another key's preset is not there for any method", async () => {
    const { id } = (await call<Saved>('POST', PATH, PRESET)).body;
    const other = await caller(server);
    for (const method of ['GET', 'PUT', 'DELETE'] as const) {
      const answer = await other(method, `${PATH}/${id}`, method === 'PUT' ? PRESET : undefined);
      assert.equal(answer.status, 404, method);
    }
    assert.deepEqual((await other('GET', PATH)).body, { presets: [] });
    assert.equal((await call('GET', `${PATH}/${id}`)).status, 200);
  });

  test('a blank member is refused by its name, on creation and on replacement', async () => {
    const { id } = (await call<Saved>('POST', PATH, PRESET)).body;
    for (const member of ['name', 'endpoint', 'model'])
      for (const [method, url] of [
        ['POST', PATH],
        ['PUT', `${PATH}/${id}`],
      ] as const) {
        const answer = await call<Failed>(method, url, { ...PRESET, [member]: ' \u3000\n' });
        const { code, param, message } = answer.body.error;
        assert.deepEqual(
          [answer.status, code, param, message],
          [400, 'invalid_request', member, `${member} must not be blank`],
        );
      }
  });

  test('a malformed id is 404', async () => {
    const answer = await call<Failed>('GET', `${PATH}/not-a-uuid`);
    assert.deepEqual([answer.status, answer.body.error.code], [404, 'preset_not_found']);
  });

  for (const [name, change, param] of [
    ['no name', { name: undefined }, 'name'],
    ['an empty name', { name: '' }, 'name'],
    ['a name of 101 characters', { name: 'x'.repeat(101) }, 'name'],
    ['no endpoint', { endpoint: undefined }, 'endpoint'],
    ['an empty model', { model: '' }, 'model'],
    ['a system prompt of 50001 characters', { system: 'x'.repeat(50_001) }, 'system'],
    ['an endpoint of 201 characters', { endpoint: 'x'.repeat(201) }, 'endpoint'],
    ['a model of 501 characters', { model: 'x'.repeat(501) }, 'model'],
    ['params that are a list', { params: [] }, 'params'],
  ] as const) {
    test(`${name} is 400 for POST and PUT`, async () => {
      const { id } = (await call<Saved>('POST', PATH, PRESET)).body;
      for (const [method, url] of [
        ['POST', PATH],
        ['PUT', `${PATH}/${id}`],
      ] as const) {
        const { status, body } = await call<Failed>(method, url, { ...PRESET, ...change });
        assert.deepEqual([status, body.error.code, body.error.param], [400, 'invalid_request', param]);
      }
    });
  }

  test('a name of 100 and a system prompt of 50000 characters are taken', async () => {
    const preset = { ...PRESET, name: 'x'.repeat(100), system: 'y'.repeat(50_000) };
    assert.equal((await call('POST', PATH, preset)).status, 201);
  });

  test('one preset too many is refused with what to do', async () => {
    await using small = await boot(await store.fresh(), { maxPresets: 1 });
    const callSmall = await caller(small);
    await callSmall('POST', PATH, PRESET);
    const answer = await callSmall('POST', PATH, PRESET);
    assert.equal(answer.status, 409);
    assert.match(JSON.stringify(answer.body), /delete one first/);
  });

  test('presets that would be too large together are refused, also when they are sent at once', async () => {
    await using small = await boot(await store.fresh(), { maxCharacters: 100 });
    const callSmall = await caller(small);
    const preset = (characters: number) => ({ ...PRESET, system: 'x'.repeat(characters) });
    const sent = await Promise.all([1, 2, 3].map(() => callSmall<Saved>('POST', PATH, preset(20))));
    assert.deepEqual(sent.map(({ status }) => status).toSorted(), [201, 201, 409]);
    assert.match(JSON.stringify(sent.find(({ status }) => status === 409)), /100 characters together/);
    const [kept] = sent.filter(({ status }) => status === 201);
    const one = `${PATH}/${kept!.body.id}`;
    assert.equal((await callSmall('PUT', one, preset(40))).status, 409);
    assert.equal((await callSmall('PUT', one, preset(10))).status, 200);
  });

  test('parameters of more than 50,000 characters are refused', async () => {
    const params = { a: 'x'.repeat(50_000) };
    const answer = await call<Failed>('POST', PATH, { ...PRESET, params });
    assert.deepEqual(
      [answer.status, answer.body.error.code, answer.body.error.param],
      [400, 'params_too_long', 'params'],
    );
  });

  test('every route is 401 without a key', async () => {
    for (const method of ['GET', 'PUT', 'DELETE'] as const) {
      assert.equal((await server.inject({ method, url: `${PATH}/x`, payload: PRESET })).statusCode, 401);
    }
    assert.equal((await server.inject({ method: 'POST', url: PATH, payload: PRESET })).statusCode, 401);
  });
});
