/** What is done to the machines. Each is over, healed, when its promise resolves. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { MongodSet } from '../support/mongod/mongod-set.js';
import type { Instances } from './instances.js';

/** How long a fault lasts, above the election timeout and `revocationLag`. Milliseconds. */
const LASTS = 8_000;

export interface Machines {
  readonly set: MongodSet;
  readonly instances: Instances;
}

export const FAULTS: Readonly<Record<string, (machines: Machines) => Promise<void>>> = {
  none: async () => {
    await sleep(LASTS);
  },
  'kill -9 of the primary': async ({ set }) => {
    const killed = await set.killPrimary();
    await sleep(LASTS);
    await set.start(killed);
  },
  'the primary is frozen': async ({ set }) => {
    const frozen = await set.primary();
    set.pause(frozen);
    await sleep(LASTS);
    set.resume(frozen);
  },
  'a secondary is frozen': async ({ set }) => {
    const frozen = ((await set.primary()) + 1) % 3;
    set.pause(frozen);
    await sleep(LASTS);
    set.resume(frozen);
  },
  'no majority': async ({ set }) => {
    const primary = await set.primary();
    const others = [0, 1, 2].filter((member) => member !== primary);
    for (const other of others) await set.kill(other);
    await sleep(LASTS);
    for (const other of others) await set.start(other);
  },
  'kill -9 of an instance': async ({ instances }) => {
    await instances.kill(0);
    await sleep(LASTS / 2);
    await instances.start(0);
  },
  'an instance is frozen': async ({ instances }) => {
    instances.signal(1, 'SIGSTOP');
    await sleep(LASTS);
    instances.signal(1, 'SIGCONT');
  },
  'rolling restart': async ({ instances }) => {
    for (const at of instances.all) {
      await instances.stop(at);
      await instances.start(at);
    }
  },
  'kill -9 of the primary and of an instance': async ({ set, instances }) => {
    const [killed] = await Promise.all([set.killPrimary(), instances.kill(2)]);
    await sleep(LASTS);
    await Promise.all([set.start(killed), instances.start(2)]);
  },
};
