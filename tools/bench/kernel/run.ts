/** Plugboard vs bare Fastify: a small JSON route, the cost of a key, a limit, a token and hooks, and a full start. */
import { setTimeout } from 'node:timers/promises';
import { join } from 'node:path';
import { root, type Bench } from '../context.js';
import type { HttpSide } from '../load.js';
import { issuer, token } from './token.js';
import { KEY, startServer, type Server } from '../server.js';
import { processorTime } from '../usage.js';

const FASTIFY = join(import.meta.dirname, 'fastify.js');
const COLLECTOR = join(import.meta.dirname, 'collector.js');
const headers = { 'content-type': 'application/json', authorization: `Bearer ${KEY}` };
const body = JSON.stringify({ name: 'a thing', count: 3, tags: ['red', 'round'] });

export default async function run(bench: Bench): Promise<void> {
  await starts(bench);
  const sides = [
    side('bare Fastify', await bench.start([FASTIFY])),
    side('Fastify, @fastify/rate-limit', await bench.start([FASTIFY, 'limited'])),
  ];
  for (const store of bench.stores()) {
    const server = await bench.plugboard(`kernel-${store.name}`, {
      storage: store.config('kernel'),
      plugins: {
        ratelimit: { categories: { data: { key: 1e9 } } },
        bench: { use: join(import.meta.dirname, 'plugin.js') },
      },
    });
    sides.push(
      side(`Plugboard, ${store.name}`, server),
      side(`Plugboard, ${store.name}, API key`, server, '/guarded'),
      side(`Plugboard, ${store.name}, API key and limit`, server, '/limited'),
    );
  }
  await whoAsks(bench);
  await bench.http({ what: 'JSON route', sides, connections: 32, warm: 2, reference: 'bare Fastify' });
}

/** The route with an API key, compared with a cached person's token, hooks of every kind, and telemetry. */
async function whoAsks(bench: Bench): Promise<void> {
  const plugins = {
    ratelimit: { categories: { data: { key: 1e9 } } },
    bench: { use: join(import.meta.dirname, 'plugin.js') },
  };
  const observer = { use: join(import.meta.dirname, 'observer.js') };
  const plain = await bench.plugboard('kernel-asks', { auth: { issuers: [issuer] }, plugins });
  const observed = await bench.plugboard('kernel-observed', { plugins: { ...plugins, observer } });
  const { origin: endpoint } = await bench.start([COLLECTOR]);
  const traced = (name: string, sample: number): Promise<Server> =>
    bench.plugboard(`kernel-${name}`, {
      plugins: { ...plugins, telemetry: { endpoint, traces: { sample } } },
    });
  const [hundredth, all] = [await traced('hundredth', 0.01), await traced('traced', 1)];
  const authorization = `Bearer ${token()}`;
  const sides = [
    side('API key', plain, '/guarded'),
    side("person's token", plain, '/guarded', { ...headers, authorization }),
    side('API key, hooks observe', observed, '/guarded'),
    side('API key, telemetry of 1 %', hundredth, '/guarded'),
    side('API key, telemetry of all', all, '/guarded'),
  ];
  await bench.http({ what: 'who asks', sides, connections: 32, warm: 2, reference: 'API key' });
}

function side(name: string, server: Server, path = '/items', sent = headers): HttpSide {
  return { name, server, call: () => ({ method: 'POST', path, headers: sent, body }) };
}

/** From the start of the process to the first answer. */
async function starts(bench: Bench): Promise<void> {
  const everything = [join(root, 'dist/tools/plugboard.js'), 'run', join(root, 'config/default.yaml')];
  await bench.compare({
    what: 'start to the first answer',
    sides: [
      { name: 'bare Fastify', args: [FASTIFY], data: '' },
      { name: 'every plugin, demo data is read', args: everything, data: 'new' },
      { name: 'every plugin, data there', args: everything, data: 'kept' },
    ],
    reference: 'bare Fastify',
    async measure({ args, data }, round) {
      const folder = join(bench.folder, data === 'new' ? `new-${round}` : data);
      const began = performance.now();
      const server = await startServer(args, { PORT: '0', PLUGBOARD_DATA: folder });
      while (!(await fetch(`${server.origin}/-/live`)).ok) await setTimeout(5);
      const figures = {
        ms: performance.now() - began,
        'processor, ms': processorTime(server.pids) / 1_000,
      };
      await server.stop();
      return figures;
    },
  });
}
