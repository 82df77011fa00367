/**
 * Pages of a short and of a long list of accounts, one after the other in turns, and what the server of the long list
 * holds in memory. `npm run accounts:pages` in tools/bench. BENCH_ACCOUNTS says how long the long list is, MONGODB_URI
 * names a replica set for that store, BENCH_FOLDER a folder where the lists of the embedded store stay: writing a
 * million takes minutes.
 */
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { machine, median, table } from '../table.js';
import { fill } from './fill.js';
import { key, plugboard, type Server } from './servers.js';

const LENGTHS = [1_000, Number(process.env['BENCH_ACCOUNTS'] ?? 1_000_000)];
const WARM = 100;
const PAGES = 400;
const LIST = '/v2/core/accounts?limit=20';
const PROVIDERS = { auth: { use: 'local', firstKey: key }, secrets: { keys: ['0'.repeat(64)] } };
const BODY = {
  contact_email: 'kim@example.com',
  display_name: 'Kim and Sons',
  identity: { country: 'US', entity_type: 'company', business_details: { registered_name: 'Kim and Sons' } },
  configuration: { customer: {}, merchant: { capabilities: { card_payments: { requested: true } } } },
};

const kept = process.env['BENCH_FOLDER'];
if (kept !== undefined) await mkdir(kept, { recursive: true });
const folder = kept ?? (await mkdtemp(join(tmpdir(), 'bench-accounts-')));
const mongodb = process.env['MONGODB_URI'];
const client = mongodb === undefined ? undefined : await new MongoClient(mongodb).connect();
const database = (length: number): string => `bench_accounts_${length}`;
try {
  console.log(`${machine()}; ${PAGES} pages of 20 of each list in turns, after ${WARM}; medians\n`);
  await compare('embedded', (length) => ({ use: 'embedded', path: join(folder, String(length)) }));
  if (mongodb !== undefined)
    await compare('mongodb', (length) => ({ use: 'mongodb', url: mongodb, database: database(length) }));
} finally {
  for (const length of LENGTHS) await client?.db(database(length)).dropDatabase();
  await client?.close();
  if (kept === undefined) await rm(folder, { recursive: true });
}

async function compare(name: string, storageOf: (length: number) => { use: string }): Promise<void> {
  for (const length of LENGTHS) {
    const filled = join(folder, `${name}-${length}.filled`);
    if (name === 'embedded' && existsSync(filled)) continue;
    await rm(join(folder, String(length)), { recursive: true, force: true });
    const begun = performance.now();
    const server = await plugboard(folder, name, storageOf(length));
    await create(server);
    await server.stop();
    await fill(storageOf(length), PROVIDERS, length);
    await writeFile(filled, '');
    const seconds = (performance.now() - begun) / 1_000;
    console.log(`${name}: ${length} accounts written in ${seconds.toFixed(0)} s`);
  }
  const servers: Server[] = [];
  try {
    for (const length of LENGTHS)
      servers.push(await plugboard(folder, `${name}-${length}`, storageOf(length)));
    const times = await walk(servers);
    const rows = LENGTHS.map((length, at) => [
      length,
      ...(times[at] ?? []).map((ms) => ms.toFixed(2)),
      residentMemory(servers[at]?.process.pid ?? 0),
    ]);
    console.log(
      `\n${name}\n\n${table(['accounts', 'first page, ms', 'next page, ms', 'retrieve, ms', 'resident, MiB'], rows)}\n`,
    );
    const [short = [], long = []] = times;
    console.log(`long to short: ${long.map((ms, at) => (ms / (short[at] ?? NaN)).toFixed(2)).join(', ')}\n`);
  } finally {
    for (const server of servers) await server.stop();
  }
}

/** By server: the medians of the first page, of pages further and further down, and of accounts on those pages. */
async function walk(servers: readonly Server[]): Promise<number[][]> {
  const times = servers.map((): [number[], number[], number[]] => [[], [], []]);
  const paths = servers.map(() => LIST);
  for (let at = -WARM; at < PAGES; at += 1)
    for (const [side, { url }] of servers.entries()) {
      const [first] = await timed<Page>(`${url}${LIST}`);
      const [next, page] = await timed<Page>(`${url}${paths[side]}`);
      const [one] = await timed(`${url}/v2/core/accounts/${page.data[at % 7 < 0 ? 0 : at % 7]?.id ?? ''}`);
      // The short list ends: then from its beginning again.
      paths[side] = page.next_page_url ?? LIST;
      if (at < 0) continue;
      for (const [what, ms] of [first, next, one].entries()) times[side]?.[what]?.push(ms);
    }
  return times.map((measured) => measured.map(median));
}

interface Page {
  readonly data: readonly { readonly id: string }[];
  readonly next_page_url: string | null;
}

async function timed<T>(url: string): Promise<[number, T]> {
  const begun = performance.now();
  const answer = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
  const body = (await answer.json()) as T;
  if (answer.status !== 200) throw new Error(JSON.stringify(body));
  return [performance.now() - begun, body];
}

async function create({ url }: Server): Promise<void> {
  const answer = await fetch(`${url}/v2/core/accounts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(BODY),
  });
  if (answer.status !== 200) throw new Error(await answer.text());
}

function residentMemory(pid: number): string {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return (Number(kilobytes) / 1_024).toFixed(0);
}
