/**
 * Accounts over HTTP beside the raw driver of MongoDB with a document of the same size, and beside stripe-mock, in
 * alternating rounds of one run. `npm run accounts` in tools/bench. MONGODB_URI names a replica set for that store and
 * for the raw driver; STRIPE_MOCK names its program; BENCH_ACCOUNTS says how many accounts the long list has.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { Agent, request } from 'undici';
import { machine, median, table } from '../table.js';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 3);
const CONNECTIONS = 16;
const LONG = Number(process.env['BENCH_ACCOUNTS'] ?? 100_000);
const SHORT = 1_000;

const root = resolve(process.env['PLUGBOARD_ROOT'] ?? join(import.meta.dirname, '../../../..'));
const mongodb = process.env['MONGODB_URI'];
const key = `pb_${randomBytes(24).toString('base64url')}`;
const agent = new Agent({ connections: CONNECTIONS });

const BODY = {
  contact_email: 'kim@example.com',
  display_name: 'Kim and Sons',
  identity: { country: 'US', entity_type: 'company', business_details: { registered_name: 'Kim and Sons' } },
  configuration: { customer: {}, merchant: { capabilities: { card_payments: { requested: true } } } },
  metadata: { order: '6735', region: 'north' },
};

interface Side {
  readonly name: string;
  /** Answers the id. */
  create(): Promise<string>;
  retrieve(id: string): Promise<void>;
}

const children: ChildProcess[] = [];
const folder = await mkdtemp(join(tmpdir(), 'bench-accounts-'));
const client = mongodb === undefined ? undefined : await new MongoClient(mongodb).connect();
try {
  const servers = [
    { name: 'embedded', url: await plugboard({ use: 'embedded', path: join(folder, 'data') }) },
    ...(mongodb === undefined
      ? []
      : [
          {
            name: 'mongodb',
            url: await plugboard({ use: 'mongodb', url: mongodb, database: 'bench_accounts' }),
          },
        ]),
  ];
  const sides: Side[] = [
    ...servers.map(({ name, url }) =>
      overHttp(`accounts, ${name}`, url, '/v2/core/accounts', JSON.stringify(BODY), 'application/json', key),
    ),
    ...(client === undefined ? [] : [raw(client)]),
    ...(await stripeMock()),
  ];
  console.log(
    `${machine()}; ${ROUNDS} alternating rounds of ${SECONDS} s, ${CONNECTIONS} at a time; medians\n`,
  );
  const creates = await measure(sides, (side) => side.create());
  const ids = await Promise.all(sides.map((side) => side.create()));
  const retrieves = await measure(sides, (side, at) => side.retrieve(ids[at] ?? ''));
  console.log(
    table(
      ['side', 'creates/s', 'retrieves/s'],
      sides.map(({ name }, at) => [name, Math.round(creates[at] ?? 0), Math.round(retrieves[at] ?? 0)]),
    ),
  );
  for (const { name, url } of servers) await pages(name, url);
} finally {
  for (const child of children) child.kill('SIGKILL');
  await client?.db('bench_accounts').dropDatabase();
  await client?.close();
  await agent.close();
  await rm(folder, { recursive: true });
}

/** Calls a second of each side. */
async function measure(
  sides: readonly Side[],
  call: (side: Side, at: number) => Promise<unknown>,
): Promise<number[]> {
  const rates = sides.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [at, side] of sides.entries()) {
      let count = 0;
      const begun = performance.now();
      const until = begun + SECONDS * 1_000;
      const worker = async (): Promise<void> => {
        for (; performance.now() < until; count += 1) await call(side, at);
      };
      await Promise.all(Array.from({ length: CONNECTIONS }, worker));
      rates[at]?.push((count * 1_000) / (performance.now() - begun));
    }
  return rates.map(median);
}

/** The first page, and one in the middle, of a short and of a long list. */
async function pages(name: string, url: string): Promise<void> {
  const rows: (string | number)[][] = [];
  let made = 0;
  const side = overHttp(name, url, '/v2/core/accounts', '{}', 'application/json', key);
  for (const size of [SHORT, LONG]) {
    const fill = async (): Promise<void> => {
      while (made < size) {
        made += 1;
        await side.create();
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, fill));
    const times: number[] = [];
    let path = '/v2/core/accounts?limit=20';
    for (let at = 0; at < 40; at += 1) {
      const begun = performance.now();
      const { next_page_url } = await getJson<{ next_page_url: string | null }>(`${url}${path}`);
      times.push(performance.now() - begun);
      path = next_page_url ?? path;
    }
    rows.push([`${size} more accounts`, median(times).toFixed(2)]);
  }
  console.log(`\n${name}: a page of 20, ms, one after the other\n\n${table(['list', 'median'], rows)}`);
}

function overHttp(name: string, url: string, path: string, body: string, type: string, token: string): Side {
  const headers = { authorization: `Bearer ${token}`, 'content-type': type };
  return {
    name,
    create: async () => {
      const answer = await request(`${url}${path}`, { method: 'POST', headers, body, dispatcher: agent });
      const { id } = (await answer.body.json()) as { id?: string };
      if (id === undefined) throw new Error(`${name} answered ${answer.statusCode}`);
      return id;
    },
    retrieve: async (id) => {
      const answer = await request(`${url}${path}/${id}`, { headers, dispatcher: agent });
      await answer.body.dump();
      if (answer.statusCode !== 200) throw new Error(`${name} answered ${answer.statusCode}`);
    },
  };
}

async function getJson<T>(url: string): Promise<T> {
  const answer = await request(url, { headers: { authorization: `Bearer ${key}` }, dispatcher: agent });
  return (await answer.body.json()) as T;
}

/** A document of the size that an account of `BODY` is stored in, acknowledged as ours are. */
function raw(client: MongoClient): Side {
  const accounts = client
    .db('bench_accounts')
    .collection<{ _id: string }>('raw', { writeConcern: { w: 'majority', journal: true } });
  const document = { platform: 'default', createdAt: new Date(), state: JSON.stringify(BODY).padEnd(620) };
  return {
    name: 'raw driver',
    create: async () => {
      const _id = randomBytes(12).toString('hex');
      await accounts.insertOne({ _id, ...document });
      return _id;
    },
    retrieve: async (id) => {
      if ((await accounts.findOne({ _id: id })) === null) throw new Error('the raw driver found nothing');
    },
  };
}

/** Knows no accounts v2 and keeps nothing: its accounts of the first version stand in. */
async function stripeMock(): Promise<Side[]> {
  const program = process.env['STRIPE_MOCK'];
  if (program === undefined) return [];
  const port = 12_911;
  children.push(spawn(program, ['-http-port', String(port)], { stdio: 'ignore' }));
  const url = `http://127.0.0.1:${port}`;
  for (let waited = 0; waited < 60_000; waited += 250) {
    await setTimeout(250);
    if (
      await request(url).then(
        () => true,
        () => false,
      )
    )
      break;
  }
  return [
    overHttp(
      'stripe-mock, v1',
      url,
      '/v1/accounts',
      'type=custom&country=US',
      'application/x-www-form-urlencoded',
      'sk_test_123',
    ),
  ];
}

async function plugboard(storage: object): Promise<string> {
  const config = {
    version: 1,
    server: { port: 0, pressure: { eventLoopDelay: 0 } },
    providers: { storage, auth: { use: 'local', firstKey: key, sealKeys: ['0'.repeat(64)] } },
    plugins: { accounts: { limits: { concurrency: 1_000 } } },
  };
  const file = join(folder, `${children.length}.json`);
  await writeFile(file, JSON.stringify(config));
  const child = spawn(process.execPath, [join(root, 'dist/tools/plugboard.js'), 'run', file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  let output = '';
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  for (let waited = 0; waited < 60_000; waited += 50) {
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0];
    if (url !== undefined) return url;
    await setTimeout(50);
  }
  throw new Error(`plugboard did not start: ${output}`);
}
