/**
 * Pages of the feeds among few events and among many: each request makes its page, none comes out of the cache. The
 * stores are filled by imports, and kept in BENCH_DATA where that is set.
 */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bursts, ratio, type Side } from '../bursts.js';
import { root, runMeasured, startPlugboard, type Measured } from '../measured.js';
import { get } from '../sockets.js';
import { median, table } from '../table.js';
import type { Store } from '../stores.js';
import { writeArchive } from './archive.js';

const SIZES = (process.env['BENCH_SIZES'] ?? '10000,1000000').split(',').map(Number);
const OPTIONS = { turns: Number(process.env['BENCH_TURNS'] ?? 3), seconds: 1, connections: 8 };
/** Of each account and each repository. */
const EVENTS_EACH = 100;
/** Feeds of each kind that are asked for: the same number among few events and among many. */
const SUBJECTS = 50;
const FOLLOWED = 20;
const SPAN = 60 * 86_400_000;
const key = `pb_${randomBytes(24).toString('base64url')}`;

export async function measurePages(stores: readonly Store[]): Promise<void> {
  const kept = process.env['BENCH_DATA'];
  const folder = kept ?? (await mkdtemp(join(tmpdir(), 'bench-pages-')));
  await mkdir(folder, { recursive: true });
  for (const store of stores) {
    const servers: Measured[] = [];
    for (const size of SIZES) servers.push(await filled(store, size, folder));
    const rows: string[][] = [];
    for (const [feed, path] of Object.entries(FEEDS)) {
      const sides = SIZES.map((size, at): Side => {
        const server = servers[at]!;
        return { name: feed, server, request: requests(size, path), status: 200 };
      });
      const figures = await bursts(sides, OPTIONS);
      const first = figures[0]!;
      rows.push([
        feed,
        ...figures.map(({ perSecond }) => median(perSecond).toFixed(0)),
        ...figures.map(({ perRequest }) => median(perRequest).toFixed(0)),
        ratio(first.perSecond, figures.at(-1)!.perSecond),
        ratio(figures.at(-1)!.perRequest, first.perRequest),
      ]);
    }
    console.log(`\nPages of 30, ${store.name}; ${OPTIONS.turns} alternating bursts of 1 s, 8 connections\n`);
    const names = SIZES.map((size) => size.toLocaleString('en'));
    console.log(
      table(
        [
          'feed',
          ...names.map((name) => `a second, ${name}`),
          ...names.map((name) => `processor us, ${name}`),
          'times slower',
          'times the processor time',
        ],
        rows,
      ),
    );
    for (const server of servers) await server.stop();
    if (kept === undefined) await store.drop();
  }
  if (kept === undefined) await rm(folder, { recursive: true });
}

/** The path of a random feed and page of a kind; `draw` answers a number from 0 to before `most`. */
const FEEDS: Readonly<Record<string, (accounts: number, draw: (most: number) => number) => string>> = {
  public: (_, draw) => `/events?page=${1 + draw(10)}`,
  repository: (_, draw) => {
    const repo = draw(SUBJECTS);
    return `/repos/user-${repo}/project-${repo}/events?page=${1 + draw(3)}`;
  },
  performed: (_, draw) => `/users/user-${draw(SUBJECTS)}/events?page=${1 + draw(3)}`,
  organization: (accounts, draw) => {
    // Repositories of every third number have one.
    const repo = 3 * draw(10);
    return `/orgs/org-${repo % Math.floor(accounts / 10)}/events?page=${1 + draw(3)}`;
  },
  received: (_, draw) => `/users/user-${draw(SUBJECTS)}/received_events?page=${1 + draw(10)}`,
};

function requests(size: number, path: (typeof FEEDS)[string]): () => Buffer {
  let state = 1;
  const draw = (most: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
  let port = 0;
  return () => {
    // Addresses stand in links and records, so each address has pages of its own.
    port = (port % 65_000) + 1;
    return get(path(size / EVENTS_EACH, draw), { host: `127.0.0.1:${port}` });
  };
}

async function filled(store: Store, size: number, folder: string): Promise<Measured> {
  const place = join(folder, `${store.name}-${size}`);
  const file = `${place}.json`;
  const server = await startPlugboard(file, {
    server: { port: 0, pressure: { eventLoopDelay: 0 } },
    providers: {
      storage: store.config(place),
      auth: { use: 'local', firstKey: key },
      secrets: { keys: ['0'.repeat(64)] },
    },
    plugins: { events: { cacheMegabytes: 1 } },
  });
  if (existsSync(`${place}.filled`)) return server;
  const archive = `${place}.gz`;
  const accounts = size / EVENTS_EACH;
  await writeArchive(archive, {
    events: size,
    accounts,
    commits: 1,
    from: Date.now() - SPAN,
    step: SPAN / size,
  });
  const command = [join(root, 'dist/tools/plugboard.js'), '--config', file, 'events', 'import', archive];
  const { output, seconds } = await runMeasured(command);
  console.log(`${store.name}: ${output.trim()}, in ${seconds.toFixed(0)} s`);
  for (let reader = 0; reader < SUBJECTS; reader += 1) await follow(server, reader, accounts);
  await rm(archive);
  await writeFile(`${place}.filled`, '');
  return server;
}

async function follow({ port }: Measured, reader: number, accounts: number): Promise<void> {
  const others = Array.from({ length: FOLLOWED }, (_, at) => (reader * 7 + at * 3 + 1) % accounts);
  const user = `user-${reader}`;
  const put = {
    follows: others.map((other) => ({ user, follows: `user-${other}` })),
    watches: others.map((other) => ({ user, repository: `user-${other}/project-${other}` })),
  };
  const answer = await fetch(`http://127.0.0.1:${port}/api/events/directory`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ put }),
  });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
}
