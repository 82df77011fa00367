/** What a plugin that observes is told, and what it cannot do to the work of others. */
import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { test } from 'node:test';
import {
  AUTH,
  definePlugin,
  JOBS,
  newId,
  OBSERVERS,
  STORAGE,
  Type,
  type Document,
  type Hooks,
  type WorkKind,
} from 'plugboard/sdk';
import { bootTest, LogLines, type TestServer } from 'plugboard/testing';
import { eventually } from '../../support/eventually.js';

const NOTHING = Type.Object({}, { additionalProperties: false });
const KINDS = ['request', 'guard', 'store', 'job', 'call'] as const;

/** Stores a thing, in a transaction and by a job. */
const worker = definePlugin({
  name: 'worker',
  api: 1,
  config: NOTHING,
  prefix: '/work',
  scopes: { work: 'work' },
  needs: { auth: AUTH, storage: STORAGE, jobs: JOBS, observers: OBSERVERS },
  setup({ needs: { auth, storage, jobs, observers } }) {
    const things = storage.collection<Document>({ name: 'things' });
    const late: (string | undefined)[] = [];
    jobs.handle('later', async () => {
      await things.insertOne({ _id: newId() });
    });
    jobs.handle('fails', () => Promise.reject(new RangeError('my secret')), { attempts: 1 });
    return {
      routes(app) {
        const onRequest = auth.guard('bearer', { scope: 'work' });
        app.post<{ Body: { secret: string } }>(
          '/:token',
          { onRequest, config: { takesBody: true } },
          async (request) => {
            await storage.transaction(async (tx) => {
              await things.with(tx).insertOne({ _id: newId() });
            });
            await things.find({}).toArray();
            await jobs.add('later', { key: newId() });
            await jobs.add('fails', { key: newId() });
            void setTimeout(50).then(() => late.push(observers.carried()?.['traceparent']));
            return { carried: observers.carried() ?? null, body: request.body.secret.length };
          },
        );
        app.get('/late', () => late);
      },
    };
  },
});

interface Told {
  readonly kind: WorkKind;
  readonly work: Readonly<Record<string, unknown>>;
  readonly outer: Told | undefined;
  end?: Readonly<Record<string, unknown>>;
}

/** Keeps all that it is told. */
function observer(told: Told[], observes: readonly WorkKind[] = KINDS) {
  const hook = (kind: WorkKind) => ({
    begin(work: object, outer: unknown): Told {
      const one = { kind, work: work as Told['work'], outer: outer as Told | undefined };
      told.push(one);
      return one;
    },
    end(end: object, own: unknown): void {
      (own as Told).end = end as NonNullable<Told['end']>;
    },
  });
  const hooks = Object.fromEntries(observes.map((kind) => [kind, hook(kind)])) as Hooks;
  return withHooks(observes, {
    ...hooks,
    carries: (own) => ({ traceparent: `of-${(own as Told).kind}` }),
  });
}

function withHooks(observes: readonly WorkKind[], hooks: Hooks) {
  return definePlugin({ name: 'observer', api: 1, config: NOTHING, observes, setup: () => ({ hooks }) });
}

function post(server: TestServer, key: string, headers: Record<string, string> = {}) {
  return server.inject({
    method: 'POST',
    url: '/work/token-in-a-path?and=query',
    headers: { 'x-api-key': key, ...headers },
    payload: { secret: 'my secret' },
  });
}

test('an observer is told of request, guard, store and job, each within the work it belongs to', async () => {
  const told: Told[] = [];
  await using server = await bootTest({ plugins: [{ plugin: observer(told) }, { plugin: worker }] });
  const key = await server.key('work');
  told.length = 0;
  const answer = await post(server, key, { traceparent: '00-a-b-01' });
  assert.deepEqual(answer.json(), { carried: { traceparent: 'of-request' }, body: 9 });
  const one = (kind: WorkKind, more: object = {}): Told | undefined =>
    told.find((it) => it.kind === kind && Object.entries(more).every(([name, is]) => it.work[name] === is));
  await eventually(() => one('job', { name: 'later' })?.end !== undefined, 'the job has run');
  await eventually(() => one('job', { name: 'fails' })?.end !== undefined, 'the other has failed');

  const request = one('request');
  const { at, id, ...shown } = request?.work ?? {};
  assert.deepEqual([typeof at, typeof id], ['number', 'string']);
  const carried = { traceparent: '00-a-b-01' };
  assert.deepEqual(shown, { method: 'POST', route: '/work/:token', plugin: 'worker', carried });
  const { status, principal, tenant } = request?.end ?? {};
  assert.deepEqual([status, typeof principal, tenant], [200, 'string', principal]);
  assert.equal(one('guard')?.outer, request);
  assert.deepEqual([one('guard')?.end?.['principal'], one('guard')?.end?.['error']], [principal, null]);

  const transaction = one('store', { operation: 'transaction' });
  assert.equal(transaction?.outer, request);
  assert.equal(one('store', { plugin: 'worker', operation: 'insertOne' })?.outer, transaction);
  assert.equal(one('store', { plugin: 'worker', operation: 'find' })?.outer, request);

  const later = one('job', { name: 'later' });
  assert.deepEqual([later?.outer, later?.work['carried']], [undefined, { traceparent: 'of-request' }]);
  assert.equal(later?.end?.['outcome'], 'done');
  assert.ok(
    told.some(({ kind, outer }) => kind === 'store' && outer === later),
    'its insert is its own',
  );
  const { outcome, error } = one('job', { name: 'fails' })?.end ?? {};
  assert.deepEqual([outcome, error], ['failed', 'RangeError']);

  const frozen = told.every(({ work, end }) => Object.isFrozen(work) && Object.isFrozen(end ?? work));
  assert.ok(frozen, 'the records are frozen');
  const all = JSON.stringify(told.map(({ work, end }) => [work, end]));
  for (const secret of [key, 'my secret', 'token-in-a-path', 'query'])
    assert.ok(!all.includes(secret), secret);
});

test('a refusal is told with its code, and what begins after its request has ended belongs to none', async () => {
  const told: Told[] = [];
  await using server = await bootTest({ plugins: [{ plugin: observer(told) }, { plugin: worker }] });
  await post(server, 'wrong');
  const guard = told.find(({ kind }) => kind === 'guard');
  assert.deepEqual([guard?.end?.['error'], guard?.end?.['principal']], ['invalid_api_key', null]);
  assert.equal(told.find(({ kind }) => kind === 'request')?.end?.['status'], 401);
  await post(server, await server.key('work'));
  await eventually(async () => (await server.inject('/work/late')).json<unknown[]>().length > 0, 'later');
  assert.deepEqual((await server.inject('/work/late')).json(), [null]);
});

test('a hook that throws, rejects or answers nonsense changes no answer and is logged once', async () => {
  const log = new LogLines();
  const bad: Hooks = {
    request: {
      begin: () => {
        throw new Error('a bad hook');
      },
      end: () => Promise.reject(new Error('a worse one')),
    },
    guard: { begin: () => 'mine' },
    carries: () => ({ 'Bad Name': 'x', traceparent: 'a\r\nb: c', tracestate: 7 }) as never,
  };
  const plugin = withHooks(['request', 'guard'], bad);
  await using server = await bootTest({ plugins: [{ plugin }, { plugin: worker }], log });
  const key = await server.key('work');
  for (let count = 0; count < 3; count += 1)
    assert.deepEqual((await post(server, key)).json(), { carried: null, body: 9 });
  assert.equal(log.lines.filter((line) => line.includes('a hook failed')).length, 1);
});

test('a hook that takes too long for the second time is left alone until it has made up for it', async () => {
  const log = new LogLines();
  let calls = 0;
  const slow: Hooks = {
    request: {
      end: () => {
        calls += 1;
        const until = performance.now() + 700;
        while (performance.now() < until);
      },
    },
  };
  const plugin = withHooks(['request'], slow);
  await using server = await bootTest({ plugins: [{ plugin }, { plugin: worker }], log });
  for (let count = 0; count < 5; count += 1) await server.inject('/work/late');
  assert.equal(calls, 2);
  assert.equal(log.lines.filter((line) => line.includes('are not called for')).length, 1);
});

test('a line of the log is told as it is written, within its work, and what the hook logs is not', async () => {
  const lines = new LogLines();
  const told: { line: string; own: unknown }[] = [];
  const plugin = definePlugin({
    name: 'reader',
    api: 1,
    config: Type.Object({ token: Type.String({ secret: true }) }, { additionalProperties: false }),
    observes: ['request', 'log'],
    setup: ({ log, config }) => ({
      hooks: {
        request: { begin: ({ method }) => method },
        log(line, own) {
          log.warn('from the hook');
          told.push({ line, own });
        },
      },
      routes(app) {
        app.get('/say', () => {
          log.info({ count: 3 }, `said with ${config.token}`);
          return {};
        });
      },
    }),
  });
  await using server = await bootTest({
    plugins: [{ plugin, config: { token: 'hunter2-hunter2' } }],
    log: lines,
  });
  await server.inject('/say');
  const said = told.filter(({ line }) => line.includes('said with'));
  assert.equal(said.length, 1);
  assert.equal(said[0]?.own, 'GET');
  const { msg, count, plugin: of } = JSON.parse(said[0]?.line ?? '') as Record<string, unknown>;
  assert.deepEqual([msg, count, of], ['said with [secret]', 3, 'reader']);
  assert.ok(!told.some(({ line }) => line.includes('from the hook')));
});

test('a plugin that says it observes and returns no hooks, or others, does not start', async () => {
  const returning = (hooks: unknown, observes: unknown = ['request']) =>
    definePlugin({
      name: 'observer',
      api: 1,
      config: NOTHING,
      observes: observes as WorkKind[],
      setup: () => (hooks === undefined ? {} : { hooks: hooks as Hooks }),
    });
  const boots = (hooks: unknown) => bootTest({ plugins: [{ plugin: returning(hooks) }] });
  await assert.rejects(boots(undefined), /did not return "hooks", though .* observes request/);
  await assert.rejects(
    boots({ store: {} }),
    /hooks of "store", which the plugin does not name under "observes"/,
  );
  await assert.rejects(boots({ request: 7 }), /"hooks\.request" as number/);
  const strange = bootTest({ plugins: [{ plugin: returning({}, ['requests']) }] });
  await assert.rejects(strange, /observes must be an array of request, guard/);
});
