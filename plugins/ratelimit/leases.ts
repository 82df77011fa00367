/**
 * Counting without a write per request: an instance takes units of a busy limit in advance and counts them down in
 * memory. Units are taken from the limit before they are used, so all instances together never exceed it; units unused
 * within the lease's time are given back. Occasional callers are counted one by one.
 */
import type { Clock, Logger } from 'plugboard/sdk';
import type { Windows } from './windows.js';

export interface Terms {
  /** Units in a window. */
  readonly limit: number;
  /** Milliseconds. */
  readonly window: number;
}

/** A limit's state after a request. */
export interface Count {
  readonly granted: boolean;
  readonly used: number;
  readonly remaining: number;
  /** When the count starts over, in milliseconds since the Unix epoch. */
  readonly reset: number;
}

interface Lease {
  readonly terms: Terms;
  /** Units that may be used without asking. */
  left: number;
  /** Units counted in storage when it was last asked, those of this lease included. */
  counted: number;
  reset: number;
  /** Units to take next time. */
  size: number;
  /** Units used and not given back since the last `sweep`. */
  used: number;
  /** The fewest units left since then, or since units were taken: those were not needed. */
  lowest: number;
  /** When units were last taken. */
  takenAt: number;
  /** Storage had no more units to give. */
  isLast: boolean;
  /** Units that requests wait for, and the storage call that brings them. */
  awaited: number;
  asking: Promise<void> | undefined;
}

/** A lease takes at most this part of what is left, so that other instances find some too. */
const LARGEST_PART = 16;
const MOST_LEASES = 100_000;

export class Leases {
  readonly #windows: Windows;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #duration: number;
  readonly #leases = new Map<string, Lease>();
  readonly #returning = new Set<Promise<void>>();
  readonly #sweeper: NodeJS.Timeout;

  /** `duration` in milliseconds: how long unused units are held. */
  constructor(windows: Windows, clock: Clock, log: Logger, duration: number) {
    this.#windows = windows;
    this.#clock = clock;
    this.#log = log;
    this.#duration = duration;
    this.#sweeper = setInterval(() => this.sweep(), duration).unref();
  }

  /** Counts `cost` units; without a promise if the lease has them. */
  take(id: string, terms: Terms, cost: number, now: number): Count | Promise<Count> {
    const lease = this.#leases.get(id);
    if (lease !== undefined) {
      const count = this.#takeFrom(lease, cost, now);
      if (count !== undefined) return count;
    }
    return this.#takeAfterAsking(id, terms, cost);
  }

  /** Gives back a request's units, counted in the window that ends at `reset`. */
  refund(id: string, cost: number, reset: number): Count | undefined {
    const lease = this.#leases.get(id);
    if (lease?.reset === reset) {
      lease.left += cost;
      lease.used -= cost;
      return countOf(lease, true);
    }
    this.#giveBack(id, cost, reset);
    return undefined;
  }

  /** Units counted in storage and unused, in the window that ends at `reset`. */
  unused(id: string, reset: number): number {
    const lease = this.#leases.get(id);
    return lease?.reset === reset ? lease.left : 0;
  }

  /**
   * Returns unneeded units in time, and forgets unused leases. Units that polls repeatedly take and give back stay:
   * nothing is written for them.
   */
  sweep(): void {
    const now = this.#clock.now();
    for (const [id, lease] of this.#leases) {
      if (now - lease.takenAt < this.#duration || lease.asking !== undefined) continue;
      this.#release(id, lease, Math.min(lease.lowest, lease.left));
      if ((lease.left <= 0 && lease.used <= 0) || now >= lease.reset) this.#leases.delete(id);
      lease.size = Math.max(1, lease.used);
      lease.used = 0;
      lease.lowest = lease.left;
      lease.takenAt = now;
    }
  }

  /** Gives back all that is left. */
  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    for (const [id, lease] of this.#leases) this.#release(id, lease, lease.left);
    this.#leases.clear();
    await Promise.all(this.#returning);
  }

  /** Undefined when storage must be asked. */
  #takeFrom(lease: Lease, cost: number, now: number): Count | undefined {
    if (now >= lease.reset) return undefined;
    if (lease.left >= cost) {
      lease.left -= cost;
      lease.used += cost;
      lease.lowest = Math.min(lease.lowest, lease.left);
      return countOf(lease, true);
    }
    // Other instances may give units back: worth asking now and then.
    if (lease.isLast && now - lease.takenAt < this.#duration) return countOf(lease, false);
    return undefined;
  }

  async #takeAfterAsking(id: string, terms: Terms, cost: number): Promise<Count> {
    for (;;) {
      const lease = this.#leaseOf(id, terms);
      lease.awaited += cost;
      // One call brings the units of all who wait.
      await (lease.asking ?? this.#ask(id, lease)).finally(() => (lease.awaited -= cost));
      const count = this.#takeFrom(lease, cost, this.#clock.now());
      if (count !== undefined) return count;
    }
  }

  #leaseOf(id: string, terms: Terms): Lease {
    const known = this.#leases.get(id);
    if (known !== undefined) return known;
    if (this.#leases.size >= MOST_LEASES) this.#forgetOldest();
    const none: Lease = {
      terms,
      left: 0,
      counted: 0,
      reset: 0,
      size: 1,
      used: 0,
      lowest: 0,
      takenAt: -Infinity,
      isLast: false,
      awaited: 0,
      asking: undefined,
    };
    this.#leases.set(id, none);
    return none;
  }

  #ask(id: string, lease: Lease): Promise<void> {
    lease.asking = this.#refill(id, lease).finally(() => (lease.asking = undefined));
    return lease.asking;
  }

  async #refill(id: string, lease: Lease): Promise<void> {
    const { limit, window } = lease.terms;
    // Callers in the same turn of the event loop wait for this call too.
    await new Promise((resolve) => setImmediate(resolve));
    const asked = this.#clock.now();
    // Used up in less than half its time: a busy caller.
    const size = asked - lease.takenAt < this.#duration / 2 ? lease.size * 2 : lease.size;
    const largest = Math.floor((limit - lease.counted) / LARGEST_PART);
    const wanted = Math.max(lease.awaited, Math.min(size, largest));
    const grant = await this.#windows.take(id, wanted, limit, window);
    lease.left = grant.granted + (grant.reset === lease.reset ? lease.left : 0);
    lease.lowest = lease.left;
    lease.counted = grant.used;
    lease.reset = grant.reset;
    lease.size = wanted;
    lease.takenAt = this.#clock.now();
    lease.isLast = grant.granted < wanted;
  }

  #release(id: string, lease: Lease, units: number): void {
    if (units <= 0 || this.#clock.now() >= lease.reset) return;
    lease.left -= units;
    lease.counted -= units;
    this.#giveBack(id, units, lease.reset);
  }

  #giveBack(id: string, units: number, reset: number): void {
    const returning = this.#windows
      .giveBack(id, units, reset)
      .catch((error: unknown) => this.#log.warn({ err: error, units }, 'unused units of a limit are lost'))
      .finally(() => this.#returning.delete(returning));
    this.#returning.add(returning);
  }

  #forgetOldest(): void {
    for (const [id, lease] of this.#leases) {
      if (lease.asking !== undefined) continue;
      this.#release(id, lease, lease.left);
      this.#leases.delete(id);
      return;
    }
  }
}

function countOf({ terms, counted, left, reset }: Lease, granted: boolean): Count {
  const used = Math.min(terms.limit, counted - left);
  return { granted, used, remaining: terms.limit - used, reset };
}
