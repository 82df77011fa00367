/** What is done to the machines. Each is over, healed, when its promise resolves. */
import { existsSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MongodSet } from '../support/mongod/mongod-set.js';
import { eventually } from '../support/eventually.js';
import type { Clock } from './clock.js';
import type { Disk } from './disk.js';
import type { Instances } from './instances.js';
import type { Network } from './network.js';

/** How long a fault lasts, above the election timeout and `revocationLag`. Milliseconds. */
const LASTS = 8_000;
/** More than `OPEN_FILES` lets an instance have. */
const IDLE_CONNECTIONS = 800;
/** Files that instance 1 may have open. */
export const OPEN_FILES = 512;

export interface Machines {
  readonly set: MongodSet;
  readonly instances: Instances;
}

type Fault<M> = Readonly<Record<string, (machines: M) => Promise<void>>>;

export const FAULTS: Fault<Machines> = {
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
    const { others } = await roles(set);
    for (const other of others) await set.kill(other);
    await sleep(LASTS);
    for (const other of others) await set.start(other);
  },
  'writes of a minority are rolled back': async ({ set }) => {
    const { primary, others } = await roles(set);
    await Promise.all(others.map((other) => set.kill(other)));
    // What clients write now has no majority.
    await sleep(700);
    await set.kill(primary);
    await Promise.all(others.map((other) => set.start(other)));
    await set.primary();
    await sleep(LASTS);
    await set.start(primary);
    await eventually(
      () => existsSync(join(set.folderOf(primary), 'rollback')),
      'the old primary has rolled writes back',
    );
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
  'connections that say nothing fill an instance': async ({ instances }) => {
    const { hostname, port } = new URL(instances.url(1));
    const sockets = Array.from({ length: IDLE_CONNECTIONS }, () => idle(hostname, Number(port)));
    await sleep(LASTS);
    for (const socket of sockets) socket.destroy();
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

/** Members are the hosts 0 to 2, instances 3 to 5. */
export const NETWORK_FAULTS: Fault<Machines & { readonly network: Network }> = {
  'the primary and the other members are parted': async ({ set, network }) => {
    const { primary, others } = await roles(set);
    for (const other of others) network.part(primary, other);
    await sleep(LASTS);
    network.heal();
  },
  'the other members do not hear the primary': async ({ set, network }) => {
    const { primary, others } = await roles(set);
    for (const other of others) network.drop(primary, other);
    await sleep(LASTS);
    network.heal();
  },
  'the primary and one other member are parted': async ({ set, network }) => {
    const { primary, others } = await roles(set);
    network.part(primary, others[0]!);
    await sleep(LASTS);
    network.heal();
  },
  'an instance and the primary are parted': async ({ set, network }) => {
    network.part(3, await set.primary());
    await sleep(LASTS);
    network.heal();
  },
  'an instance does not hear any member': async ({ network }) => {
    for (const member of [0, 1, 2]) network.drop(member, 4);
    await sleep(LASTS);
    network.heal();
  },
  'a tenth of the packets to every machine is lost': async ({ network }) => {
    for (const at of network.hosts.keys()) network.lose(at, 10);
    await sleep(LASTS);
    network.heal();
  },
};

/** Of instance 1. */
export const CLOCK_FAULTS: Fault<Machines & { readonly clock: Clock }> = {
  'the clock of an instance jumps an hour ahead and back': async ({ clock }) => {
    clock.shift('+1h');
    await sleep(LASTS);
    clock.shift('+0');
  },
  'the clock of an instance is ten minutes late': async ({ clock }) => {
    clock.shift('-10m');
    await sleep(LASTS);
    clock.shift('+0');
  },
};

/** Of member 0. */
export const DISK_FAULTS: Fault<Machines & { readonly disk: Disk }> = {
  'the disk of a member hangs': async ({ disk }) => {
    disk.freeze();
    await sleep(LASTS);
    disk.thaw();
  },
};

async function roles(set: MongodSet): Promise<{ primary: number; others: readonly number[] }> {
  const primary = await set.primary();
  return { primary, others: [0, 1, 2].filter((member) => member !== primary) };
}

function idle(host: string, port: number): Socket {
  // The server may close it at any time.
  return connect(port, host).on('error', () => {});
}
