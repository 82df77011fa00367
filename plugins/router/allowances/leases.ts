/**
 * Limits shared by all instances without a storage call each time: an instance takes units in advance and counts them
 * down. Units are taken before they are used, so a limit is exceeded only by what a call uses beyond its reserve. Units
 * held by a killed instance stay taken.
 */
import type { Logger } from 'plugboard/sdk';
import type { Windows } from './windows.js';

/** One limit in one of its windows. */
export interface Bound {
  readonly id: string;
  readonly limit: number;
  /** When the count starts over, in milliseconds since the Unix epoch. */
  readonly ends: number;
}

interface Lease<B extends Bound> {
  readonly bound: B;
  /** Units that are held and not reserved. Below zero: calls took more than they had reserved. */
  left: number;
  asking: Promise<void> | undefined;
  /** Used since it was looked at last. */
  isBusy: boolean;
  /** Storage had no more units; it is not asked again until then. */
  emptyUntil: number;
}

/** The share of a limit that is taken in advance. */
const PART = 1 / 32;
/** Milliseconds after which units that nobody needed are given back. */
const HELD = 2_000;
/** Milliseconds. */
const EMPTY = 100;

export class Leases<B extends Bound = Bound> {
  readonly #windows: Windows;
  readonly #log: Logger;
  readonly #leases = new Map<string, Lease<B>>();
  readonly #sweeper: NodeJS.Timeout;
  /** Called with the use of a limit whenever units were taken. */
  onTaken: (bound: B, used: number) => void = () => {};

  constructor(windows: Windows, log: Logger) {
    this.#windows = windows;
    this.#log = log;
    this.#sweeper = setInterval(() => void this.#sweep(Date.now()), HELD).unref();
  }

  /** Whether there was room; without a promise where units are held already. */
  reserve(bound: B, units: number): boolean | Promise<boolean> {
    const lease = this.#leaseOf(bound);
    lease.isBusy = true;
    if (lease.left < units) return this.#reserveLater(lease, units);
    lease.left -= units;
    return true;
  }

  /** The call took `used` of what it had `reserved`. */
  settle(bound: B, reserved: number, used: number): void {
    this.#leaseOf(bound).left += reserved - used;
  }

  /** Gives back what is left. */
  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    await Promise.all(Array.from(this.#leases.values(), (lease) => this.#release(lease)));
  }

  async #reserveLater(lease: Lease<B>, units: number): Promise<boolean> {
    while (lease.left < units) {
      if (lease.asking !== undefined) await lease.asking;
      else if (performance.now() < lease.emptyUntil) return false;
      else {
        lease.asking = this.#fill(lease, units - lease.left);
        await lease.asking;
        if (lease.left < units && performance.now() < lease.emptyUntil) return false;
      }
    }
    lease.left -= units;
    return true;
  }

  async #fill(lease: Lease<B>, needed: number): Promise<void> {
    const { id, limit, ends } = lease.bound;
    try {
      const wanted = Math.max(needed, Math.ceil(limit * PART));
      const taken = await this.#windows.take(id, { wanted, needed, limit, ends });
      lease.left += taken.units;
      if (taken.units > 0) this.onTaken(lease.bound, taken.used);
      if (taken.units === 0) lease.emptyUntil = performance.now() + EMPTY;
    } finally {
      lease.asking = undefined;
    }
  }

  #leaseOf(bound: B): Lease<B> {
    let lease = this.#leases.get(bound.id);
    if (lease === undefined) {
      lease = { bound, left: 0, asking: undefined, isBusy: true, emptyUntil: 0 };
      this.#leases.set(bound.id, lease);
    }
    return lease;
  }

  /** A lease that is busy keeps what it has; what was taken beyond it is written down. */
  async #sweep(now: number): Promise<void> {
    for (const lease of [...this.#leases.values()]) {
      if (lease.asking !== undefined) continue;
      if (!lease.isBusy || lease.left < 0) await this.#release(lease);
      if (!lease.isBusy && lease.left === 0 && now > lease.bound.ends) this.#leases.delete(lease.bound.id);
      lease.isBusy = false;
    }
  }

  async #release(lease: Lease<B>): Promise<void> {
    const { left } = lease;
    if (left === 0) return;
    lease.left = 0;
    try {
      await this.#windows.add(lease.bound.id, -left);
    } catch (error) {
      lease.left += left;
      this.#log.warn({ err: error }, 'what calls took of a limit waits for the store');
    }
  }
}
