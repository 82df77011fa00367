/** Traces and metrics as a collector gets them, of a running server. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AUTH, definePlugin, JOBS, MODELS, newId, STORAGE, Type } from 'plugboard/sdk';
import { bootTest, LogLines } from 'plugboard/testing';
import router from '../../plugins/router/index.js';
import telemetry from '../../plugins/telemetry/index.js';
import { eventually } from '../support/eventually.js';
import { TestUpstream } from '../support/peers/upstream.js';
import { attribute, Collector, type CollectedLog, type CollectedSpan } from '../support/peers/collector.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';
const traceparent = (flags: string): string => `00-${TRACE}-${PARENT}-${flags}`;

/** Reads the store and asks for a job, which calls a model. */
const worker = definePlugin({
  name: 'worker',
  api: 1,
  config: Type.Object({}, { additionalProperties: false }),
  scopes: { work: 'work' },
  needs: { auth: AUTH, storage: STORAGE, jobs: JOBS, models: MODELS },
  setup({ log, needs: { auth, storage, jobs, models } }) {
    const notes = storage.collection<{ _id: string }>({ name: 'notes' });
    jobs.handle('ask', async ({ signal }) => {
      await models.chat({ model: 'up/m', messages: [{ role: 'user', content: 'hunter2' }] }, {
        caller: { kind: 'anonymous' },
        purpose: 'worker.ask',
        signal,
      } as never);
    });
    return {
      routes(app) {
        app.post('/work/:secret', { onRequest: auth.guard('bearer', { scope: 'work' }) }, async () => {
          log.info('not sent');
          log.warn({ found: { notes: 3 }, err: new RangeError('too far') }, 'sent');
          await notes.findOne({ _id: 'a' });
          await jobs.add('ask', { key: newId() });
          return {};
        });
      },
    };
  },
});

async function boot(collector: Collector, config: object = {}, upstream?: TestUpstream) {
  const plugins = [
    {
      plugin: telemetry,
      config: { endpoint: collector.url, headers: { 'x-vendor-key': 'vendor-secret' }, ...config },
    },
    ...(upstream === undefined
      ? []
      : [
          { plugin: router, config: { upstreams: [{ name: 'up', baseUrl: upstream.url }] } },
          { plugin: worker },
        ]),
  ];
  const server = await bootTest({ plugins, log: new LogLines() });
  const url = await server.listen();
  const key = upstream === undefined ? '' : await server.key();
  const work = (headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${url}/work/hunter2`, { method: 'POST', headers: { authorization: `Bearer ${key}`, ...headers } });
  return { server, url, work };
}

const named = (spans: readonly CollectedSpan[], name: string): CollectedSpan | undefined =>
  spans.find((span) => span.name === name);

test('a request, its guard, its store call, its job and the call of a model make one story', async () => {
  await using collector = await Collector.start();
  await using upstream = await TestUpstream.start('up');
  const { server, work } = await boot(collector, {}, upstream);
  await using _ = server;
  assert.equal((await work({ traceparent: traceparent('00') })).status, 200);
  const { spans } = collector;
  await eventually(() => spans.some(({ name }) => name.startsWith('job ask')), 'the job was told');
  const request = named(spans, 'POST /work/:secret');
  assert.deepEqual([request?.traceId, request?.parentSpanId], [TRACE, PARENT]);
  assert.equal(attribute(request, 'http.response.status_code'), '200');
  for (const name of ['guard', 'findOne notes'])
    assert.equal(named(spans, name)?.parentSpanId, request?.spanId, name);
  const job = named(spans, 'job ask');
  assert.equal(job?.links?.[0]?.traceId, TRACE);
  assert.notEqual(job?.traceId, TRACE);
  const call = spans.find(({ name }) => name === 'worker.ask up/m');
  assert.deepEqual([call?.traceId, call?.parentSpanId], [job?.traceId, job?.spanId]);
  assert.equal(upstream.requests[0]?.headers['traceparent'], `00-${call?.traceId}-${call?.spanId}-01`);
  assert.deepEqual(collector.wrong, []);
  assert.ok(collector.keys.every((key) => key === 'vendor-secret'));
  assert.ok(!collector.bodies.join('').includes('hunter2'), 'neither paths nor texts are told');
});

test('an upstream of a traced caller reads one trace context, whose parent is the call', async () => {
  await using collector = await Collector.start();
  await using upstream = await TestUpstream.start('up');
  const { server, url } = await boot(collector, {}, upstream);
  await using _ = server;
  const headers = {
    authorization: `Bearer ${await server.key()}`,
    'content-type': 'application/json',
    traceparent: traceparent('01'),
    tracestate: 'vendor=1',
  };
  const body = JSON.stringify({ model: 'up/m', messages: [{ role: 'user', content: 'hi' }] });
  assert.equal((await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body })).status, 200);
  await eventually(() => named(collector.spans, 'chat up/m') !== undefined, 'the call was told');
  const sent = upstream.requests[0]?.headers;
  const call = named(collector.spans, 'chat up/m');
  assert.equal(call?.traceId, TRACE);
  assert.match(String(sent?.['traceparent']), new RegExp(`^00-${TRACE}-${call?.spanId}-01$`));
  assert.equal(sent?.['tracestate'], 'vendor=1');
});

test('who is not sampled is told nothing of, and says so to whoever comes next', async () => {
  await using collector = await Collector.start();
  await using upstream = await TestUpstream.start('up');
  const { server, work } = await boot(collector, { traces: { sample: 0, trustCallers: true } }, upstream);
  await using _ = server;
  await work();
  await work({ traceparent: traceparent('00') });
  await work({ traceparent: traceparent('01') });
  await eventually(() => upstream.requests.length === 3, 'the jobs have run');
  await eventually(() => named(collector.spans, 'POST /work/:secret') !== undefined, 'one is told');
  const requests = collector.spans.filter(({ kind }) => kind === 2);
  assert.deepEqual(
    requests.map(({ traceId }) => traceId),
    [TRACE],
  );
  const flags = upstream.requests.map(({ headers }) => String(headers['traceparent']).slice(-2));
  assert.deepEqual(flags.toSorted(), ['00', '00', '01']);
});

test('a traceparent that is invalid begins a new trace and changes nothing else', async () => {
  await using collector = await Collector.start();
  await using upstream = await TestUpstream.start('up');
  const { server, work } = await boot(collector, {}, upstream);
  await using _ = server;
  const invalid = [
    'nonsense',
    `ff-${TRACE}-${PARENT}-01`,
    `00-${'0'.repeat(32)}-${PARENT}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE}-${PARENT}-01-more`,
    `00-${TRACE.toUpperCase()}-${PARENT}-01`,
  ];
  for (const sent of invalid) assert.equal((await work({ traceparent: sent })).status, 200);
  const told = (): CollectedSpan[] => collector.spans.filter(({ kind }) => kind === 2);
  await eventually(() => told().length === invalid.length, 'all are told');
  assert.ok(told().every(({ traceId, parentSpanId }) => traceId !== TRACE && parentSpanId === undefined));
});

test('durations and tokens come as histograms', async () => {
  await using collector = await Collector.start();
  await using upstream = await TestUpstream.start('up');
  const { server, work } = await boot(collector, { metricsEvery: 1, traces: { sample: 0 } }, upstream);
  await using _ = server;
  for (let at = 0; at < 3; at++) await work();
  const counts = (): Record<string, number> =>
    Object.fromEntries(
      collector.metrics.map(({ name, histogram }) => [
        name,
        histogram.dataPoints.reduce((all, { count }) => all + Number(count), 0),
      ]),
    );
  await eventually(() => counts()['gen_ai.client.token.usage'] === 6, 'all calls are counted');
  assert.equal(counts()['gen_ai.client.operation.duration'], 3);
  assert.equal(counts()['http.server.request.duration'], 3);
  assert.deepEqual(collector.wrong, []);
});

test('lines of the log come from the level on that the config names, within their trace', async () => {
  await using collector = await Collector.start();
  await using upstream = await TestUpstream.start('up');
  const { server, work } = await boot(collector, { logs: 'warn' }, upstream);
  await using _ = server;
  await work();
  const sent = (): CollectedLog | undefined => collector.logs.find(({ body }) => body.stringValue === 'sent');
  await eventually(() => sent() !== undefined, 'it is told');
  const record = sent();
  assert.deepEqual([record?.severityNumber, record?.severityText], [13, 'WARN']);
  assert.equal(attribute(record, 'plugboard.plugin'), 'worker');
  assert.equal(attribute(record, 'plugboard.found'), '{"notes":3}');
  assert.equal(attribute(record, 'exception.type'), 'RangeError');
  assert.equal(attribute(record, 'exception.message'), 'too far');
  await eventually(() => named(collector.spans, 'POST /work/:secret') !== undefined, 'the request is told');
  const request = named(collector.spans, 'POST /work/:secret');
  assert.deepEqual([record?.traceId, record?.spanId], [request?.traceId, request?.spanId]);
  assert.ok(!collector.logs.some(({ body }) => body.stringValue === 'not sent'));
  assert.deepEqual(collector.wrong, []);
});

test('a collector that is away, slow or refuses holds nobody up, and takes what waited when it is back', async () => {
  await using collector = await Collector.start();
  let answered: number | undefined = 503;
  collector.answer = () => answered;
  const { server, url } = await boot(collector);
  await using _ = server;
  await fetch(`${url}/-/live`);
  await eventually(() => collector.bodies.length > 0, 'it was asked');
  assert.equal((await fetch(`${url}/-/live`)).status, 200);
  answered = 200;
  await eventually(() => collector.spans.length > 0, 'what waited came');
  answered = 400;
  await fetch(`${url}/-/live`);
  const dropped = async (): Promise<string> => (await fetch(`${url}/-/metrics`)).text();
  await eventually(
    async () => /dropped_total\{[^}]*telemetry[^}]*\} [1-9]/.test(await dropped()),
    'it is counted',
  );
});

test('a stop sends what waits, and does not wait for a collector that hangs', async () => {
  await using collector = await Collector.start();
  const first = await boot(collector);
  await fetch(`${first.url}/-/live`);
  await first.server[Symbol.asyncDispose]();
  assert.equal(collector.spans.filter(({ kind }) => kind === 2).length, 1);
  const second = await boot(collector);
  collector.answer = () => undefined;
  await fetch(`${second.url}/-/live`);
  // A release that does not end in its time is an error of the stop.
  await second.server[Symbol.asyncDispose]();
});
