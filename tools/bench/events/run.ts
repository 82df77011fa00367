/** Polls that find nothing new: each is answered 304, and by bare Fastify too. */
import { join } from 'node:path';
import type { Bench } from '../context.js';
import { send, type HttpSide } from '../load.js';
import { KEY, type Server } from '../server.js';

const FEED = '/users/mara/events';
/** A bench is one caller, and asks for more than any caller may: the counting is what is measured. */
const LIMITS = {
  categories: { core: { user: 1e9, key: 1e9, address: 1e9 } },
  secondary: { concurrent: 1e6, points: 1e9 },
};

export default async function run(bench: Bench): Promise<void> {
  const fastify = await bench.start([join(import.meta.dirname, 'fastify.js')]);
  const sides = [await poll('bare Fastify', fastify)];
  for (const store of bench.stores()) {
    const alone = await bench.plugboard(`alone-${store.name}`, {
      storage: store.config('alone'),
      plugins: { events: {} },
    });
    const limited = await bench.plugboard(`limited-${store.name}`, {
      storage: store.config('limited'),
      plugins: { events: {}, ratelimit: LIMITS },
    });
    for (const server of [alone, limited]) await fill(server);
    const withKey = { authorization: `Bearer ${KEY}` };
    sides.push(
      await poll(`${store.name}, nobody, no limits`, alone),
      await poll(`${store.name}, API key, no limits`, alone, withKey),
      await poll(`${store.name}, nobody, limited`, limited),
      await poll(`${store.name}, API key, limited`, limited, withKey),
    );
  }
  await bench.http({
    what: 'poll answered 304',
    sides,
    connections: 256,
    warm: 3,
    reference: 'bare Fastify',
  });
}

/** The poll of a client that has the page already. */
async function poll(name: string, server: Server, headers: Record<string, string> = {}): Promise<HttpSide> {
  const first = await fetch(`${server.origin}${FEED}`, { headers });
  const tag = first.headers.get('etag') ?? '';
  if (first.status !== 200) throw new Error(`${first.status}: ${await first.text()}`);
  const call = { path: FEED, headers: { ...headers, 'if-none-match': tag } };
  return { name, server, status: 304, call: () => call };
}

async function fill(server: Server): Promise<void> {
  await send(server, '/api/events/directory', { put: { users: [{ id: 1, login: 'mara' }] } });
  const events = Array.from({ length: 400 }, (_, at) => ({
    type: 'PushEvent',
    actor: { login: 'mara' },
    repo: { id: 1 + (at % 7), name: `mara/project-${at % 7}` },
    payload: { size: 1, commits: [{ sha: String(at).padStart(40, '0'), message: `Change ${at}` }] },
    public: true,
    created_at: new Date(Date.now() - (400 - at) * 60_000).toISOString(),
  }));
  await send(server, '/api/events', { events });
}
