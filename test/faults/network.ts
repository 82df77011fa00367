/**
 * Machines on a network of the test's own: a network namespace each, joined by a bridge. Packets from one to another
 * can be dropped, in one direction or both. Of Linux, for root, with `ip` and `nft`, and only where no network of
 * others is touched: `unshare --net sh -c 'ip link set lo up && ...'`.
 */
import { execFileSync } from 'node:child_process';
import { networkInterfaces } from 'node:os';
import type { Host } from '../support/servers/host.js';

/** Of the test run, so that two do not meet. */
const NAME = `pb${process.pid % 100_000}`;
/** A private range that is routed nowhere from here. */
const NETWORK = `10.${process.pid % 250}.77`;
const TABLE = 'inet faults';

export const networkMissing: string | false = whatIsMissing();

export class Network implements Disposable {
  readonly hosts: readonly Host[];

  constructor(count: number) {
    try {
      run('ip', 'link', 'add', NAME, 'type', 'bridge');
      run('ip', 'addr', 'add', `${NETWORK}.1/24`, 'dev', NAME);
      run('ip', 'link', 'set', NAME, 'up');
      this.hosts = Array.from({ length: count }, (_, at) => makeHost(at));
    } catch (error) {
      this[Symbol.dispose]();
      throw error;
    }
  }

  /** This machine, as those of the network see it. */
  get outside(): string {
    return `${NETWORK}.1`;
  }

  /** From now on `to` gets no packet from `from`. */
  drop(from: number, to: number): void {
    this.#refuse(to, 'ip', 'saddr', this.hosts[from]!.address);
  }

  /** Neither gets a packet of the other. */
  part(one: number, other: number): void {
    this.drop(one, other);
    this.drop(other, one);
  }

  /** So many of a hundred packets do not get to `to`, whoever sends them. */
  lose(to: number, percent: number): void {
    this.#refuse(to, 'numgen', 'random', 'mod', '100', '<', String(percent));
  }

  /** Every packet arrives again. */
  heal(): void {
    for (const at of this.hosts.keys())
      run(...inside(at), 'nft', 'flush', 'chain', ...TABLE.split(' '), 'in');
  }

  [Symbol.dispose](): void {
    for (const at of this.hosts?.keys() ?? []) attempt('ip', 'netns', 'del', nameOf(at));
    attempt('ip', 'link', 'del', NAME);
  }

  #refuse(at: number, ...packets: readonly string[]): void {
    run(...inside(at), 'nft', 'add', 'rule', ...TABLE.split(' '), 'in', ...packets, 'drop');
  }
}

function makeHost(at: number): Host {
  const address = `${NETWORK}.${at + 11}`;
  const [cable, plug] = [`${NAME}v${at}`, `${NAME}p${at}`];
  run('ip', 'netns', 'add', nameOf(at));
  run('ip', 'link', 'add', cable, 'type', 'veth', 'peer', 'name', plug);
  run('ip', 'link', 'set', cable, 'master', NAME, 'up');
  run('ip', 'link', 'set', plug, 'netns', nameOf(at));
  run(...inside(at), 'ip', 'addr', 'add', `${address}/24`, 'dev', plug);
  run(...inside(at), 'ip', 'link', 'set', plug, 'up');
  run(...inside(at), 'ip', 'link', 'set', 'lo', 'up');
  run(...inside(at), 'nft', 'add', 'table', ...TABLE.split(' '));
  const chain = '{ type filter hook input priority 0; }';
  run(...inside(at), 'nft', 'add', 'chain', ...TABLE.split(' '), 'in', chain);
  return { address, command: inside(at) };
}

function nameOf(at: number): string {
  return `${NAME}h${at}`;
}

function inside(at: number): string[] {
  return ['ip', 'netns', 'exec', nameOf(at)];
}

function run(...[program = '', ...words]: readonly string[]): void {
  execFileSync(program, words, { stdio: 'pipe' });
}

function attempt(...command: readonly string[]): boolean {
  try {
    run(...command);
    return true;
  } catch {
    return false;
  }
}

function whatIsMissing(): string | false {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'skipped: needs root on Linux';
  const isJoined = Object.values(networkInterfaces()).some((each) => each?.some(({ internal }) => !internal));
  if (isJoined) return 'skipped: needs a network without other machines, as below `unshare --net`';
  if (!attempt('nft', '--version')) return 'skipped: needs nft';
  if (!attempt('ip', 'netns', 'add', `${NAME}try`)) return 'skipped: needs network namespaces';
  attempt('ip', 'netns', 'del', `${NAME}try`);
  return false;
}
