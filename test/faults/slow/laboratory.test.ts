/**
 * The fault laboratory: three instances of the server on a replica set of three, clients that go on through a fault,
 * and checkers that judge the history of what they were told. `RUNS=5` repeats each fault; `FAULT=` takes one of them.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { allPlugins, deployment } from '../../support/servers/deployment.js';
import { eventually } from '../../support/eventually.js';
import { mongodMissing } from '../../support/mongod/mongod.js';
import { startMongodSet, type MemberPlace } from '../../support/mongod/mongod-set.js';
import type { RunOptions } from '../../support/servers/spawned-server.js';
import { TestUpstream } from '../../support/peers/upstream.js';
import { CHECKERS } from '../checkers.js';
import { Clients, LIMIT, LIMITED } from '../clients.js';
import { Clock, clockMissing } from '../clock.js';
import { Disk, diskMissing } from '../disk.js';
import { CLOCK_FAULTS, DISK_FAULTS, FAULTS, NETWORK_FAULTS, OPEN_FILES, type Machines } from '../faults.js';
import { History } from '../history.js';
import { Instances } from '../instances.js';
import { Network, networkMissing } from '../network.js';

const RUNS = Number(process.env['RUNS'] ?? 1);
/** Milliseconds of load before a fault and after it is healed. */
const CALM = Number(process.env['CALM'] ?? 10_000);

/** Rows of a table for the docs. */
const report: string[] = [];
after(() => {
  const names = Object.keys(CHECKERS);
  const head = ['fault', 'requests', 'acknowledged', 'unknown', ...names];
  console.log([`| ${head.join(' | ')} |`, `|${' --- |'.repeat(head.length)}`, ...report].join('\n'));
});

describe('the fault laboratory', { skip: mongodMissing }, () => {
  define(FAULTS, false, (inflict) => runOn([], [{}, { openFiles: OPEN_FILES }, {}], inflict));

  define(NETWORK_FAULTS, networkMissing, async (inflict) => {
    using network = new Network(6);
    const [members, instances] = [network.hosts.slice(0, 3), network.hosts.slice(3)];
    const hosts = members.map((host) => ({ host }));
    const options = instances.map((host) => ({ host }));
    return await runOn(hosts, options, (machines) => inflict({ ...machines, network }), network.outside);
  });

  define(CLOCK_FAULTS, clockMissing, async (inflict) => {
    using clock = new Clock();
    return await runOn([], [{}, { env: clock.env }, {}], (machines) => inflict({ ...machines, clock }));
  });

  define(DISK_FAULTS, diskMissing, async (inflict) => {
    using disk = new Disk();
    const folder = join(disk.folder, 'member');
    return await runOn([{ folder }], [{}, {}, {}], (machines) => inflict({ ...machines, disk }));
  });
});

function define<M>(
  faults: Readonly<Record<string, (machines: M) => Promise<void>>>,
  missing: string | false,
  runFault: (inflict: (machines: M) => Promise<void>) => Promise<Ran>,
): void {
  for (const [name, inflict] of Object.entries(faults)) {
    if (![undefined, '', name].includes(process.env['FAULT'])) continue;
    for (let run = 1; run <= RUNS; run++)
      test(`${name}, run ${run}: every checker passes`, { skip: missing }, async () => {
        const { history, faults: logged } = await runFault(inflict);
        const found = Object.entries(CHECKERS).map(([checker, check]) => [checker, check(history)] as const);
        const count = (outcome: string): number =>
          history.operations.filter((each) => each.outcome === outcome).length;
        const cells = found.map(([, wrong]) => (wrong.length === 0 ? 'ok' : `${wrong.length} wrong`));
        report.push(
          `| ${[name, history.operations.length, count('ok'), count('unknown'), ...cells].join(' | ')} |`,
        );
        for (const [checker, wrong] of found)
          assert.deepEqual(wrong.slice(0, 5), [], `${checker}\n${logged.slice(-5).join('\n')}`);
      });
  }
}

interface Ran {
  readonly history: History;
  /** What the instances logged of errors that they did not expect. */
  readonly faults: string[];
}

/** `outside`: where machines of another network find this one. */
async function runOn(
  members: readonly MemberPlace[],
  options: readonly RunOptions[],
  inflict: (machines: Machines) => Promise<void>,
  outside = '127.0.0.1',
): Promise<Ran> {
  await using upstream = await TestUpstream.start('up');
  const set = await startMongodSet(3, members);
  try {
    const limits = { ratelimit: { keys: { [LIMITED]: { data: { requests: LIMIT } } } } };
    const url = upstream.url.replace('127.0.0.1', outside);
    const plugins = { ...allPlugins(url), accounts: null, changes: null, ...limits };
    const storage = { use: 'mongodb', url: set.url, database: 'faults' } as const;
    await using instances = await Instances.start(deployment(storage, plugins), options);
    const history = new History();
    const clients = new Clients(instances, history);
    const running = await clients.start();
    await sleep(CALM);
    await inflict({ set, instances });
    await eventually(() => allReady(instances), 'every instance is ready');
    await sleep(CALM);
    await running.stop();
    await clients.readFinals();
    return { history, faults: instances.faults };
  } finally {
    await set.stop();
  }
}

async function allReady(instances: Instances): Promise<boolean> {
  for (const at of instances.all) {
    const answer = await fetch(`${instances.url(at)}/-/ready`, { signal: AbortSignal.timeout(5_000) }).catch(
      () => undefined,
    );
    if (answer?.status !== 200) return false;
  }
  return true;
}
