/** Versions, labels and examples of presets. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { MODELS, type Models } from 'plugboard/sdk';
import { bootTest, fake, type TestServer } from 'plugboard/testing';
import playground from '../../../plugins/playground/index.js';
import { eachStore, type StoreConfig } from '../../support/stores.js';

const PATH = '/api/playground/presets';
const PRESET = {
  name: 'n',
  endpoint: 'chat.completions',
  model: 'a/m',
  system: 'Be {{tone}}.',
  params: { n: 1 },
};

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
interface Answer {
  readonly status: number;
  readonly body: {
    readonly id?: string;
    readonly version?: number;
    readonly labels?: readonly string[];
    readonly versions?: readonly { readonly version: number; readonly labels: readonly string[] }[];
    readonly examples?: readonly object[];
    readonly error?: { readonly code: string; readonly param: string | null; readonly message: string };
  };
}
type Call = (method: Method, url: string, payload?: object) => Promise<Answer>;

function boot(storage: StoreConfig, config: object = {}): Promise<TestServer> {
  return bootTest({
    storage,
    provide: [fake(MODELS, {} as Models)],
    plugins: [{ plugin: playground, config }],
    clock: { now: () => 1_700_000_000_123 },
  });
}

async function caller(server: TestServer): Promise<Call> {
  const headers = { authorization: `Bearer ${await server.key()}` };
  return async (method, url, payload) => {
    const answer = await server.inject({ method, url, headers, ...(payload && { payload }) });
    return { status: answer.statusCode, body: (answer.body === '' ? {} : answer.json()) as Answer['body'] };
  };
}

/** The path of a new preset. */
async function made(call: Call, preset: object = PRESET): Promise<string> {
  return `${PATH}/${(await call('POST', PATH, preset)).body.id}`;
}

function refused({ status, body }: Answer): [number, string | undefined] {
  return [status, body.error?.code];
}

eachStore('versions', (store) => {
  let server: TestServer;
  let call: Call;
  let preset: string;

  before(async () => {
    server = await boot(await store.fresh());
  });
  beforeEach(async () => {
    call = await caller(server);
    preset = await made(call);
  });
  after(() => server.stop());

  test('a version keeps the preset as it was, with what it says itself', async () => {
    const first = await call('POST', `${preset}/versions`, { prompt: 'About {{topic}}' });
    assert.deepEqual(first, {
      status: 201,
      body: {
        version: 1,
        labels: [],
        model: 'a/m',
        system: 'Be {{tone}}.',
        prompt: 'About {{topic}}',
        params: { n: 1 },
        variables: ['tone', 'topic'],
        created_at: '2023-11-14T22:13:20.123Z',
      } as object,
    });
    await call('PUT', preset, { ...PRESET, system: 'Other.' });
    assert.deepEqual((await call('GET', `${preset}/versions/1`)).body, first.body);
    const second = await call('POST', `${preset}/versions`, { system: null, model: 'b/m', params: {} });
    assert.equal(second.body.version, 2);
    const { versions } = (await call('GET', `${preset}/versions`)).body;
    assert.deepEqual(versions, [second.body, first.body]);
  });

  test('a label names one version, is moved, and keeps its version from being deleted', async () => {
    await call('POST', `${preset}/versions`, { label: 'production' });
    await call('POST', `${preset}/versions`, {});
    assert.equal((await call('GET', `${preset}/versions/production`)).body.version, 1);
    assert.deepEqual(refused(await call('DELETE', `${preset}/versions/1`)), [409, 'version_labelled']);
    const moved = await call('PUT', `${preset}/labels/production`, { version: 2 });
    assert.deepEqual([moved.body.version, moved.body.labels], [2, ['production']]);
    assert.equal((await call('GET', `${preset}/versions/production`)).body.version, 2);
    assert.equal((await call('DELETE', `${preset}/versions/1`)).status, 204);
    // A number is given once.
    assert.equal((await call('POST', `${preset}/versions`, {})).body.version, 3);
    assert.equal((await call('DELETE', `${preset}/labels/production`)).status, 204);
    for (const [method, path] of [
      ['GET', 'versions/production'],
      ['GET', 'versions/1'],
      ['DELETE', 'versions/99'],
      ['DELETE', 'labels/production'],
    ] as const)
      assert.deepEqual(refused(await call(method, `${preset}/${path}`)), [404, 'version_not_found'], path);
    assert.deepEqual(refused(await call('PUT', `${preset}/labels/x`, { version: 9 })), [
      404,
      'version_not_found',
    ]);
  });

  test('a preset may have twenty labels, and one of them is moved all the same', async () => {
    await call('POST', `${preset}/versions`, {});
    for (let at = 0; at < 20; at += 1) await call('PUT', `${preset}/labels/l${at}`, { version: 1 });
    assert.deepEqual(refused(await call('PUT', `${preset}/labels/more`, { version: 1 })), [
      409,
      'too_many_labels',
    ]);
    assert.equal((await call('PUT', `${preset}/labels/l3`, { version: 1 })).status, 200);
  });

  for (const [name, path, body, param] of [
    ['a blank prompt', 'versions', { prompt: ' ' }, 'prompt'],
    ['a label that is a number', 'versions', { label: '3' }, 'label'],
    ['a prompt of 50001 characters', 'versions', { prompt: 'x'.repeat(50_001) }, 'prompt'],
    ['parameters of more than 50000 characters', 'versions', { params: { a: 'x'.repeat(50_000) } }, 'params'],
  ] as const)
    test(`${name} is refused by its name`, async () => {
      const { status, body: answer } = await call('POST', `${preset}/${path}`, body);
      assert.deepEqual([status, answer.error?.param], [400, param]);
    });

  test('examples are replaced as a whole', async () => {
    assert.deepEqual((await call('GET', `${preset}/examples`)).body, { examples: [] });
    const examples = [
      {
        variables: { 'a.b': '1', $c: '2' },
        checks: [
          { kind: 'contains', text: 'x' },
          { kind: 'json_schema', schema: { type: 'object', properties: { $ref: {} } } },
          { kind: 'judge', model: 'a/m', question: 'Is it kind?' },
        ],
      },
    ];
    assert.equal((await call('PUT', `${preset}/examples`, { examples })).status, 200);
    assert.deepEqual((await call('GET', `${preset}/examples`)).body, { examples });
    await call('PUT', `${preset}/examples`, { examples: [] });
    assert.deepEqual((await call('GET', `${preset}/examples`)).body, { examples: [] });
  });

  test('a check that cannot be made is refused by its place', async () => {
    const put = (check: object) =>
      call('PUT', `${preset}/examples`, {
        examples: [{ variables: {} }, { variables: {}, checks: [check] }],
      });
    const schema = await put({ kind: 'json_schema', schema: { type: 'nothing' } });
    assert.deepEqual([schema.status, schema.body.error?.param], [400, 'examples.1.checks.0.schema']);
    const remote = await put({ kind: 'json_schema', schema: { $ref: 'http://127.0.0.1/x' } });
    assert.match(remote.body.error?.message ?? '', /examples\.1\.checks\.0\.schema: .*reference/);
    assert.equal((await put({ kind: 'regex', text: '(a+)+$' })).status, 400);
    assert.deepEqual((await call('GET', `${preset}/examples`)).body, { examples: [] });
  });

  test('what belongs to a preset is not there for another key, and goes with the preset', async () => {
    await call('POST', `${preset}/versions`, { label: 'l' });
    await call('PUT', `${preset}/examples`, { examples: [{ variables: {} }] });
    const other = await caller(server);
    for (const [method, path, body] of [
      ['GET', 'versions'],
      ['POST', 'versions', {}],
      ['GET', 'versions/1'],
      ['DELETE', 'versions/1'],
      ['PUT', 'labels/l', { version: 1 }],
      ['DELETE', 'labels/l'],
      ['GET', 'examples'],
      ['PUT', 'examples', { examples: [] }],
      ['GET', 'runs'],
      ['POST', 'run', {}],
    ] as const)
      assert.deepEqual(
        refused(await other(method, `${preset}/${path}`, body)),
        [404, 'preset_not_found'],
        path,
      );
    assert.equal((await call('DELETE', preset)).status, 204);
    assert.equal((await call('GET', `${preset}/versions`)).status, 404);
  });

  test('versions and examples take of the characters of a key, and give them back', async () => {
    await using small = await boot(await store.fresh(), { maxCharacters: 200, maxVersions: 2 });
    const callSmall = await caller(small);
    const path = await made(callSmall, { ...PRESET, system: null, params: {} });
    const long = { prompt: 'x'.repeat(150) };
    assert.equal((await callSmall('POST', `${path}/versions`, long)).status, 201);
    assert.deepEqual(refused(await callSmall('POST', `${path}/versions`, long)), [409, 'presets_too_large']);
    const examples = [{ variables: { input: 'x'.repeat(50) } }];
    assert.deepEqual(refused(await callSmall('PUT', `${path}/examples`, { examples })), [
      409,
      'presets_too_large',
    ]);
    await callSmall('DELETE', `${path}/versions/1`);
    assert.equal((await callSmall('POST', `${path}/versions`, { prompt: 'a' })).status, 201);
    assert.equal((await callSmall('POST', `${path}/versions`, { prompt: 'b' })).status, 201);
    assert.deepEqual(refused(await callSmall('POST', `${path}/versions`, {})), [409, 'too_many_versions']);
  });
});
