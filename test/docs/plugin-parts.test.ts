/** The examples of docs/plugin-parts.md, run unchanged. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { WebSocket } from 'ws';
import { bootTest, type TestServer } from 'plugboard/testing';
import type { Token } from 'plugboard/sdk';
import { eventually } from '../support/eventually.js';
import { examplesOf } from './examples-of-page.js';

const example = examplesOf('plugin-parts');

async function boot(heading: string, config: object = {}): Promise<TestServer> {
  return bootTest({ plugins: [{ plugin: (await example(heading)).default, config }] });
}

test('a scoped service is made for each consumer', async () => {
  const { default: plugin, GREETER } = await example('Provide a service');
  await using server = await bootTest({ plugins: [{ plugin }] });
  const greeter = server.service(GREETER as Token<{ greet(name: string): string }>, 'someone');
  assert.equal(greeter.greet('ann'), 'someone greets ann');
});

test('a route knows who asks, and what they may', async () => {
  await using server = await boot('Who asks');
  const ask = async (scope: string): Promise<unknown[]> => {
    const headers = { authorization: `Bearer ${await server.key(scope)}` };
    const { owner, all } = (await server.inject({ url: '/desk', headers })).json<Record<string, unknown>>();
    return [typeof owner, all];
  };
  assert.deepEqual(await ask('desk:read'), ['string', false]);
  assert.deepEqual(await ask('desk:all'), ['string', true]);
  assert.equal((await server.inject('/desk')).statusCode, 401);
});

test('a command takes an argument and an option, and says what is wrong with them', async () => {
  await using server = await boot('Commands');
  const run = async (...words: string[]): Promise<unknown[]> => {
    const { code, stdout, stderr } = await server.command(['greet', ...words]);
    return [code, stdout, stderr.split('\n')[0]];
  };
  assert.deepEqual(await run('ann', '--times', '2'), [0, 'hello ann\nhello ann\n', '']);
  assert.deepEqual(await run('ann', '--times', 'x'), [2, '', 'invalid --times "x"; use 1 to 9']);
  assert.deepEqual(await run(), [2, '', 'NAME is missing']);
});

test('a test has a fake, a clock, the log, the routes and the jobs of its plugin', async () => {
  const { tryIt } = await example('Test');
  const { answer, sent, routes, lines } = await (tryIt as () => Promise<Record<string, unknown>>)();
  assert.equal((answer as { at: number }).at, 1000);
  assert.deepEqual(sent, ['a parcel']);
  assert.ok((routes as string[]).includes('north POST /north/parcels'));
  assert.ok((lines as string[]).some((line) => line.includes('mounted')));
});

test('a job runs to its end and keeps its result', async () => {
  await using server = await boot('Jobs');
  assert.equal((await server.inject({ method: 'POST', url: '/count' })).statusCode, 200);
  const done = async (): Promise<boolean> => {
    const [job] = (await server.inject('/count')).json<{ state: string; result: unknown }[]>();
    return job?.state === 'done' && JSON.stringify(job.result) === '{"counted":3}';
  };
  await eventually(done, 'the job is done');
});

test('a secret is sealed and opened', async () => {
  await using server = await boot('Secrets', { apiKey: 'x' });
  assert.deepEqual((await server.inject('/vault')).json(), { opens: true });
});

test('a metric is shown', async () => {
  await using server = await boot('Metrics');
  await server.inject({ method: 'POST', url: '/dice' });
  assert.match((await server.inject('/-/metrics')).body, /dice_rolls_total\{plugin="dice",side="6"\} 1/);
});

test('one instance at a time holds a lease', async () => {
  await using server = await boot('Leases');
  assert.deepEqual((await server.inject('/leader')).json(), { leads: true });
});

test('a change feed brings what is written', async () => {
  await using server = await boot('The change feed');
  assert.equal((await server.inject({ method: 'POST', url: '/notes' })).statusCode, 201);
  await eventually(async () => (await server.inject('/seen')).json<string[]>().length === 1, 'it is seen');
});

test('streams, raw bodies and 204 answer', async () => {
  await using server = await boot('Streams, raw bodies, 204');
  const headers = { 'content-type': 'application/octet-stream' };
  const sent = { method: 'POST', url: '/pipes/bytes', headers, payload: Buffer.from([1, 2, 255]) } as const;
  assert.deepEqual((await server.inject(sent)).json(), { length: 3, path: '/bytes' });
  const removed = await server.inject({ method: 'DELETE', url: '/pipes/1' });
  assert.deepEqual([removed.statusCode, removed.body], [204, '']);
  const { paths } = (await server.inject('/-/openapi.json')).json<{
    paths: Record<string, Record<string, { responses: object }>>;
  }>();
  assert.ok(Object.keys(paths['/pipes/{id}']?.['delete']?.responses ?? {}).includes('204'));
});

test('a stream without an end is over when the server begins to stop', async () => {
  const server = await boot('Streams, raw bodies, 204');
  const { body } = await fetch(`${await server.listen()}/pipes/events`);
  assert.ok(body);
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  assert.equal((await reader.read()).value, 'data: 1\n\n');
  const stopped = server.stop();
  assert.equal((await reader.read()).done, true);
  await stopped;
});

test('a websocket is guarded and answers', async () => {
  await using server = await boot('Websockets');
  const url = (await server.listen()).replace('http', 'ws');
  const refused = new WebSocket(`${url}/echo`);
  await once(refused, 'error');
  const headers = { authorization: `Bearer ${await server.key('echo:talk')}` };
  const socket = new WebSocket(`${url}/echo`, { headers });
  await once(socket, 'open');
  socket.send('hello');
  const [message] = (await once(socket, 'message')) as [Buffer];
  assert.equal(message.toString(), 'hello');
});

test('a container builds a class of the plugin', async () => {
  await using server = await boot('A container of your own');
  const { now } = (await server.inject('/watch')).json<{ now: number }>();
  assert.ok(now > 0);
});
