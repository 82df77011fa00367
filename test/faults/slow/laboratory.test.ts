/**
 * The fault laboratory: three instances of the server on a replica set of three, clients that go on through a fault,
 * and checkers that judge the history of what they were told. `RUNS=5` repeats each fault; `FAULT=` takes one of them.
 */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { allPlugins, deployment } from '../../support/servers/deployment.js';
import { eventually } from '../../support/eventually.js';
import { mongodMissing } from '../../support/mongod/mongod.js';
import { startMongodSet } from '../../support/mongod/mongod-set.js';
import { TestUpstream } from '../../support/peers/upstream.js';
import { CHECKERS } from '../checkers.js';
import { Clients, LIMIT, LIMITED } from '../clients.js';
import { FAULTS } from '../faults.js';
import { History } from '../history.js';
import { Instances } from '../instances.js';

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
  for (const [name, inflict] of Object.entries(FAULTS)) {
    if (![undefined, '', name].includes(process.env['FAULT'])) continue;
    for (let run = 1; run <= RUNS; run++)
      test(`${name}, run ${run}: every checker passes`, async () => {
        const { history, faults } = await runFault(inflict);
        const found = Object.entries(CHECKERS).map(([checker, check]) => [checker, check(history)] as const);
        const count = (outcome: string): number =>
          history.operations.filter((each) => each.outcome === outcome).length;
        const cells = found.map(([, wrong]) => (wrong.length === 0 ? 'ok' : `${wrong.length} wrong`));
        report.push(
          `| ${[name, history.operations.length, count('ok'), count('unknown'), ...cells].join(' | ')} |`,
        );
        for (const [checker, wrong] of found)
          assert.deepEqual(wrong.slice(0, 5), [], `${checker}\n${faults.slice(-5).join('\n')}`);
      });
  }
});

async function runFault(inflict: (typeof FAULTS)[string]): Promise<{ history: History; faults: string[] }> {
  await using upstream = await TestUpstream.start('up');
  const set = await startMongodSet(3);
  try {
    const limits = { ratelimit: { keys: { [LIMITED]: { data: { requests: LIMIT } } } } };
    const plugins = { ...allPlugins(upstream.url), accounts: null, changes: null, ...limits };
    const storage = { use: 'mongodb', url: set.url, database: 'faults' } as const;
    await using instances = await Instances.start(deployment(storage, plugins), 3);
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
