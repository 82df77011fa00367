/**
 * Accounts beside the raw driver of MongoDB with a document of the same size, and beside stripe-mock: the same number of
 * calls in flight, each side called by a process of its own, in alternating rounds of one run. `npm run accounts` in
 * tools/bench. MONGODB_URI names a replica set for that store and for the raw driver, MONGOD_PID its process where its
 * processor time shall count, STRIPE_MOCK the program.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { processorTime } from '../dataquery/processor-time.js';
import { machine, median, table } from '../table.js';
import { Caller } from './call-process.js';
import { key, plugboard, stripeMock, type Server } from './servers.js';
import type { SideSpec } from './sides.js';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
const MILLISECONDS = Number(process.env['BENCH_SECONDS'] ?? 3) * 1_000;
const WIDTHS = (process.env['BENCH_WIDTH'] ?? '16,64').split(',').map(Number);
/** Calls until the code of a server is compiled: the first thousand creations take twice the processor time of later ones. */
const WARMED_UP = 2_000;
const DATABASE = 'bench_accounts';
const ACCOUNTS = '/v2/core/accounts';
const JSON_CALL = { type: 'application/json', token: key };

const mongodb = process.env['MONGODB_URI'];
const mongod = process.env['MONGOD_PID'] === undefined ? [] : [Number(process.env['MONGOD_PID'])];

const BODY = JSON.stringify({
  contact_email: 'kim@example.com',
  display_name: 'Kim and Sons',
  identity: { country: 'US', entity_type: 'company', business_details: { registered_name: 'Kim and Sons' } },
  configuration: { customer: {}, merchant: { capabilities: { card_payments: { requested: true } } } },
  metadata: { order: '6735', region: 'north' },
});

interface Contestant {
  readonly name: string;
  readonly spec: SideSpec;
  /** Whose processor time a call uses, beside the caller's. */
  readonly pids: readonly number[];
}

const servers: Server[] = [];
const folder = await mkdtemp(join(tmpdir(), 'bench-accounts-'));
const client = mongodb === undefined ? undefined : await new MongoClient(mongodb).connect();
try {
  await client?.db(DATABASE).dropDatabase();
  const contestants = await open();
  for (const width of WIDTHS) await compare(contestants, width);
} finally {
  for (const server of servers) await server.stop();
  await client?.db(DATABASE).dropDatabase();
  await client?.close();
  await rm(folder, { recursive: true });
}

async function open(): Promise<Contestant[]> {
  const contestants: Contestant[] = [];
  const add = (name: string, server: Server, more: readonly number[], rest: Partial<SideSpec> = {}): void => {
    servers.push(server);
    const spec = {
      kind: 'http',
      url: server.url,
      path: ACCOUNTS,
      body: BODY,
      ...JSON_CALL,
      ...rest,
    } as SideSpec;
    contestants.push({ name, spec, pids: [server.process.pid ?? 0, ...more] });
  };
  const path = join(folder, 'data');
  add('accounts, embedded', await plugboard(folder, 'embedded', { use: 'embedded', path }), []);
  if (client !== undefined && mongodb !== undefined) {
    const storage = { use: 'mongodb', url: mongodb, database: DATABASE };
    add('accounts, mongodb', await plugboard(folder, 'mongodb', storage), mongod);
    const template = JSON.stringify(await storedAccount(client, servers.at(-1)?.url ?? ''));
    const spec: SideSpec = { kind: 'raw', url: mongodb, database: DATABASE, template };
    contestants.push({ name: 'raw driver', spec, pids: mongod });
    console.log(`the raw driver's document: ${template.length} characters of JSON\n`);
  }
  const program = process.env['STRIPE_MOCK'];
  if (program !== undefined)
    add('stripe-mock, v1', await stripeMock(program), [], {
      path: '/v1/accounts',
      body: 'type=custom&country=US',
      type: 'application/x-www-form-urlencoded',
      token: 'sk_test_123',
    });
  return contestants;
}

async function storedAccount(client: MongoClient, url: string): Promise<object> {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'idempotency-key': 'x',
  };
  const answer = await fetch(`${url}${ACCOUNTS}`, { method: 'POST', headers, body: BODY });
  if (answer.status !== 200) throw new Error(await answer.text());
  const stored = await client.db(DATABASE).collection('accounts.accounts').findOne({});
  if (stored === null) throw new Error('the account is not where it was looked for');
  return stored;
}

async function compare(contestants: readonly Contestant[], width: number): Promise<void> {
  const callers = contestants.map(({ spec }) => new Caller(spec, width));
  try {
    for (const caller of callers) await caller.opened;
    const measured = [];
    for (const what of ['create', 'retrieve'] as const) {
      // Once for nothing: code is compiled, and there is something to retrieve.
      for (const caller of callers) await caller.call(what, MILLISECONDS / 2, WARMED_UP);
      measured.push(await rounds(contestants, callers, what));
    }
    const [creates = [], retrieves = []] = measured;
    const reference = contestants.findIndex(({ spec }) => spec.kind === 'raw');
    console.log(
      `${machine()}; ${ROUNDS} alternating rounds of ${MILLISECONDS / 1_000} s, ${width} calls in flight; medians; ratio of calls a second to the raw driver's in the same round; processor time of caller, server and mongod\n`,
    );
    console.log(
      table(
        ['side', 'creates/s', 'ratio', 'µs each', 'retrieves/s', 'ratio', 'µs each'],
        contestants.map(({ name }, at) => [
          name,
          ...cells(creates, at, reference),
          ...cells(retrieves, at, reference),
        ]),
      ),
    );
    console.log();
  } finally {
    for (const caller of callers) caller.end();
  }
}

interface Measured {
  readonly rate: number;
  readonly processor: number;
}

/** By contestant, then by round. */
async function rounds(
  contestants: readonly Contestant[],
  callers: readonly Caller[],
  what: 'create' | 'retrieve',
): Promise<Measured[][]> {
  const measured = contestants.map((): Measured[] => []);
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [at, caller] of callers.entries()) {
      const pids = [caller.pid, ...(contestants[at]?.pids ?? [])];
      const before = sum(pids);
      const { calls, milliseconds } = await caller.call(what, MILLISECONDS);
      const processor = (sum(pids) - before) / calls;
      measured[at]?.push({ rate: (calls * 1_000) / milliseconds, processor });
    }
  return measured;
}

function cells(measured: readonly Measured[][], at: number, reference: number): (string | number)[] {
  const own = measured[at] ?? [];
  const others = measured[reference];
  const ratio =
    others === undefined ? '' : median(own.map(({ rate }, round) => rate / (others[round]?.rate ?? NaN)));
  return [
    Math.round(median(own.map(({ rate }) => rate))),
    typeof ratio === 'number' ? ratio.toFixed(2) : ratio,
    Math.round(median(own.map(({ processor }) => processor))),
  ];
}

function sum(pids: readonly number[]): number {
  return pids.reduce((total, pid) => total + processorTime(pid), 0);
}
