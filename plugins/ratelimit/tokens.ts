/**
 * Model tokens, known only after the response: added up in memory for a moment, then in storage; requests are refused
 * once they are used up.
 */
import type { Clock, Logger } from 'plugboard/sdk';
import type { Count, Terms } from './leases.js';
import type { Window, Windows } from './windows.js';

interface Meter {
  /** As last read from storage. */
  stored: Window;
  /** Spent here and not stored yet. */
  pending: number;
  readonly window: number;
  /** When storage was last read, in milliseconds. */
  askedAt: number;
  asking: Promise<void> | undefined;
}

const MOST_METERS = 100_000;

export class Tokens {
  readonly #windows: Windows;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #freshFor: number;
  readonly #meters = new Map<string, Meter>();
  readonly #timer: NodeJS.Timeout;

  /** `freshFor`: milliseconds for which other instances' tokens may be missed. */
  constructor(windows: Windows, clock: Clock, log: Logger, freshFor: number) {
    this.#windows = windows;
    this.#clock = clock;
    this.#log = log;
    this.#freshFor = freshFor;
    this.#timer = setInterval(() => void this.store(), freshFor / 4).unref();
  }

  spend(id: string, tokens: number, window: number): void {
    this.#meterOf(id, window).pending += tokens;
  }

  /** The limit's state; granted while any tokens are left. */
  check(id: string, terms: Terms): Count | Promise<Count> {
    const meter = this.#meterOf(id, terms.window);
    const now = this.#clock.now();
    const isFresh =
      now - meter.askedAt < this.#freshFor && (meter.stored.reset === 0 || now < meter.stored.reset);
    if (isFresh) return this.#countOf(meter, terms);
    return this.#ask(id, meter).then(() => this.#countOf(meter, terms));
  }

  /** Stores what was spent, and forgets idle meters. */
  async store(): Promise<void> {
    const now = this.#clock.now();
    const storing: Promise<void>[] = [];
    for (const [id, meter] of this.#meters) {
      if (meter.pending > 0) storing.push(this.#ask(id, meter));
      else if (meter.asking === undefined && now - meter.askedAt > 2 * this.#freshFor)
        this.#meters.delete(id);
    }
    const failed = (await Promise.allSettled(storing)).find(({ status }) => status === 'rejected');
    if (failed !== undefined)
      this.#log.warn({ err: (failed as PromiseRejectedResult).reason }, 'spent tokens wait for the store');
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.store();
  }

  #meterOf(id: string, window: number): Meter {
    const known = this.#meters.get(id);
    if (known !== undefined) return known;
    const oldest = this.#meters.keys().next();
    if (this.#meters.size >= MOST_METERS && oldest.done === false) this.#meters.delete(oldest.value);
    const meter: Meter = {
      stored: { used: 0, reset: 0 },
      pending: 0,
      window,
      askedAt: -Infinity,
      asking: undefined,
    };
    this.#meters.set(id, meter);
    return meter;
  }

  #ask(id: string, meter: Meter): Promise<void> {
    meter.asking ??= this.#exchange(id, meter).finally(() => (meter.asking = undefined));
    return meter.asking;
  }

  async #exchange(id: string, meter: Meter): Promise<void> {
    const spent = meter.pending;
    meter.pending = 0;
    try {
      meter.stored =
        spent > 0
          ? await this.#windows.add(id, spent, meter.window)
          : ((await this.#windows.read(id)) ?? { used: 0, reset: 0 });
      meter.askedAt = this.#clock.now();
    } catch (error) {
      meter.pending += spent;
      throw error;
    }
  }

  #countOf({ stored, pending }: Meter, { limit, window }: Terms): Count {
    const now = this.#clock.now();
    // Tokens on their way to the store when their window ended no longer count.
    const runs = now < stored.reset;
    const used = Math.min(limit, (runs ? stored.used : 0) + pending);
    const reset = runs ? stored.reset : now + window;
    return { granted: used < limit, used, remaining: limit - used, reset };
  }
}
