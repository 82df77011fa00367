/**
 * What a limit costs: a limited route beside the same route without a limit, on both stores, and the same on Fastify
 * with `@fastify/rate-limit`. `npm run ratelimit` in tools/bench. MONGODB_URI names a replica set for that store.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bursts, ratio, type Side } from '../bursts.js';
import { startPeer, startPlugboard, type Measured } from '../measured.js';
import { get } from '../sockets.js';
import { stores } from '../stores.js';
import { machine, median, table } from '../table.js';

const OPTIONS = { turns: Number(process.env['BENCH_TURNS'] ?? 8), seconds: 1, connections: 32 };
const key = `pb_${randomBytes(24).toString('base64url')}`;
const folder = await mkdtemp(join(tmpdir(), 'bench-ratelimit-'));
const servers: { readonly name: string; readonly server: Measured }[] = [];
const all = stores();
try {
  for (const store of all) {
    const server = await startPlugboard(join(folder, `${store.name}.json`), {
      server: { port: 0 },
      providers: {
        storage: store.config(join(folder, store.name)),
        auth: { use: 'local', firstKey: key },
        secrets: { keys: ['0'.repeat(64)] },
      },
      plugins: {
        ratelimit: { categories: { data: { key: 1e9 } } },
        bench: { use: join(import.meta.dirname, 'plugin.js') },
      },
    });
    servers.push({ name: `Plugboard, ${store.name}`, server });
  }
  const peer = await startPeer(join(import.meta.dirname, 'fastify.js'));
  servers.push({ name: 'Fastify, @fastify/rate-limit', server: peer });

  const sides = servers.flatMap(({ name, server }): Side[] =>
    (['open', 'limited'] as const).map((route) => {
      const headers = { host: `127.0.0.1:${server.port}`, authorization: `Bearer ${key}` };
      return { name: `${name}: ${route}`, server, request: get(`/${route}`, headers), status: 200 };
    }),
  );
  const figures = await bursts(sides, OPTIONS);
  console.log(`${machine()}; ${OPTIONS.turns} alternating bursts of 1 s, 32 connections; medians\n`);
  console.log(
    table(
      ['', 'requests/s', 'of the open one', 'processor us each', 'of the open one', 'p99 ms'],
      figures.map(({ name, perSecond, perRequest, p99 }, at) => {
        const open = figures[at - (at % 2)];
        return [
          name,
          median(perSecond).toFixed(0),
          ratio(perSecond, open?.perSecond ?? []),
          median(perRequest).toFixed(1),
          ratio(perRequest, open?.perRequest ?? []),
          median(p99).toFixed(1),
        ];
      }),
    ),
  );
} finally {
  for (const { server } of servers) await server.stop();
  for (const store of all) await store.drop();
  await rm(folder, { recursive: true, force: true });
}
