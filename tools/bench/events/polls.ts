/** Polls that find nothing new: each is answered 304, and by bare Fastify too. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bursts, ratio, type Side } from '../bursts.js';
import { startPeer, startPlugboard, type Measured } from '../measured.js';
import { get } from '../sockets.js';
import { median, table } from '../table.js';
import type { Store } from '../stores.js';

const OPTIONS = {
  turns: Number(process.env['BENCH_TURNS'] ?? 6),
  seconds: 1,
  connections: Number(process.env['BENCH_CONNECTIONS'] ?? 256),
  warm: 3,
};
const FEED = '/users/mara/events';
/** A bench is one caller, and asks for more than any caller may: the counting is what is measured. */
const LIMITS = {
  categories: { core: { user: 1e9, key: 1e9, address: 1e9 } },
  secondary: { concurrent: 1e6, points: 1e9 },
};

export async function measurePolls(stores: readonly Store[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-polls-'));
  const script = join(import.meta.dirname, 'bare.js');
  const bare = await startPeer(script);
  const fastify: Side = { name: 'bare Fastify', server: bare, request: await poll(bare, {}), status: 304 };
  for (const store of stores) {
    const key = `pb_${randomBytes(24).toString('base64url')}`;
    const start = async (name: string, plugins: object): Promise<Measured> =>
      startPlugboard(join(folder, `${name}.json`), {
        server: { port: 0 },
        providers: {
          storage: store.config(join(folder, name)),
          auth: { use: 'local', firstKey: key },
          secrets: { keys: ['0'.repeat(64)] },
        },
        plugins,
      });
    const servers = {
      alone: await start(`${store.name}-alone`, { events: {} }),
      limited: await start(`${store.name}-limited`, { events: {}, ratelimit: LIMITS, authorizations: {} }),
    };
    for (const server of Object.values(servers)) await fill(server, key);
    const withKey = { authorization: `Bearer ${key}` };
    const token = await tokenOf(servers.limited, key);
    const side = async (name: string, server: Measured, headers: Record<string, string>): Promise<Side> => ({
      name,
      server,
      request: await poll(server, headers),
      status: 304,
    });
    const pinging = store.url === undefined ? undefined : await startPeer(script, [store.url]);
    const figures = await bursts(
      [
        fastify,
        ...(pinging === undefined
          ? []
          : [
              {
                ...fastify,
                name: 'bare Fastify that awaits a shared ping',
                server: pinging,
                request: await poll(pinging, {}),
              },
            ]),
        await side('nobody, no limits', servers.alone, {}),
        await side('API key, no limits', servers.alone, withKey),
        await side('nobody, limited', servers.limited, {}),
        await side('API key, limited', servers.limited, withKey),
        await side("a user's token, limited", servers.limited, { authorization: `token ${token}` }),
      ],
      OPTIONS,
    );
    const [peer = figures[0]!] = figures;
    console.log(
      `\nPolls answered 304, ${store.name}; ${OPTIONS.turns} alternating bursts of 1 s, ${OPTIONS.connections} connections\n`,
    );
    console.log(
      table(
        ['', 'a second', 'of bare Fastify', 'processor us each', 'of bare Fastify', 'p99 ms'],
        figures.map(({ name, perSecond, perRequest, p99 }) => [
          name,
          median(perSecond).toFixed(0),
          ratio(perSecond, peer.perSecond),
          median(perRequest).toFixed(1),
          ratio(perRequest, peer.perRequest),
          median(p99).toFixed(1),
        ]),
      ),
    );
    await pinging?.stop();
    for (const server of Object.values(servers)) await server.stop();
    await store.drop();
  }
  await bare.stop();
  await rm(folder, { recursive: true });
}

/** The poll of a client that has the page already. */
async function poll({ port }: Measured, headers: Record<string, string>): Promise<Buffer> {
  const first = await fetch(`http://127.0.0.1:${port}${FEED}`, { headers });
  const tag = first.headers.get('etag') ?? '';
  if (first.status !== 200) throw new Error(`${first.status}: ${await first.text()}`);
  return get(FEED, { host: `127.0.0.1:${port}`, ...headers, 'if-none-match': tag });
}

async function fill(server: Measured, key: string): Promise<void> {
  await post(server, key, '/api/events/directory', { put: { users: [{ id: 1, login: 'mara' }] } });
  const events = Array.from({ length: 400 }, (_, at) => ({
    type: 'PushEvent',
    actor: { login: 'mara' },
    repo: { id: 1 + (at % 7), name: `mara/project-${at % 7}` },
    payload: { size: 1, commits: [{ sha: String(at).padStart(40, '0'), message: `Change ${at}` }] },
    public: true,
    created_at: new Date(Date.now() - (400 - at) * 60_000).toISOString(),
  }));
  await post(server, key, '/api/events', { events });
}

async function tokenOf(server: Measured, key: string): Promise<string> {
  const password = randomBytes(12).toString('hex');
  await post(server, key, '/api/users', { login: 'mara', password });
  const answer = await fetch(`http://127.0.0.1:${server.port}/authorizations`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`mara:${password}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ note: 'bench' }),
  });
  const { token } = (await answer.json()) as { token?: string };
  if (token === undefined) throw new Error(`no token: ${answer.status}`);
  return token;
}

async function post({ port }: Measured, key: string, path: string, body: object): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
}
