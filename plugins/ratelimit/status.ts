/** A caller's state in every category, read without counting. */
import type { Clock } from 'plugboard/sdk';
import type { Leases } from './leases.js';
import { windowId } from './callers.js';
import type { CategoryLimits } from './limits.js';
import type { RateLimitAnswer, Status } from './schema.js';
import type { Subject } from './subject.js';
import type { Windows } from './windows.js';

export const STATUS_CATEGORIES = [
  'core',
  'search',
  'graphql',
  'integration_manifest',
  'code_scanning_upload',
] as const;
type StatusCategory = (typeof STATUS_CATEGORIES)[number];

/** Shown if there is no limit: clients expect an integer. */
const NO_LIMIT = 2 ** 31 - 1;

export interface StatusReport {
  readonly answer: RateLimitAnswer;
  /**
   * The report without the `reset` of windows that have not started: it moves with the clock, and every poll would find
   * the report changed.
   */
  readonly state: string;
}

export class StatusReader {
  readonly #categories: Readonly<Record<StatusCategory, CategoryLimits>>;
  readonly #windows: Windows;
  readonly #leases: Leases;
  readonly #clock: Clock;

  constructor(
    categories: Readonly<Record<StatusCategory, CategoryLimits>>,
    windows: Windows,
    leases: Leases,
    clock: Clock,
  ) {
    this.#categories = categories;
    this.#windows = windows;
    this.#leases = leases;
    this.#clock = clock;
  }

  async read(subject: Subject): Promise<StatusReport> {
    const ids = STATUS_CATEGORIES.map((name) => windowId(name, subject));
    const running = await this.#windows.readAll(ids);
    const entries = STATUS_CATEGORIES.map((name, at) => {
      const id = ids[at] ?? '';
      const { requests, window } = this.#categories[name].of(subject);
      const limit = requests ?? NO_LIMIT;
      const found = running.get(id);
      const counted = found === undefined ? 0 : found.used - this.#leases.unused(id, found.reset);
      const used = Math.min(limit, counted);
      const reset = Math.ceil((found?.reset ?? this.#clock.now() + window) / 1000);
      return [name, { limit, remaining: limit - used, reset, used }, found?.reset ?? null] as const;
    });
    const resources = Object.fromEntries(
      entries.map(([name, status]): [string, Status] => [name, status]),
    ) as RateLimitAnswer['resources'];
    return {
      answer: { resources, rate: resources.core },
      state: JSON.stringify(entries.map(([, { limit, used }, reset]) => [limit, used, reset])),
    };
  }
}
