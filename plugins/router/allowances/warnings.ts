/** Reports a partly used budget once per deployment: in the log, and as a change to interested endpoints. */
import type { Changes, Logger, Storage } from 'plugboard/sdk';
import { NANO } from './rules.js';
import type { Standing } from './allowances.js';
import type { Windows } from './windows.js';

const TYPE = 'router.budget.warned';
/** Windows that are remembered here, so that most calls ask nothing. */
const MOST_TOLD = 10_000;

export interface WarningParts {
  readonly storage: Storage;
  readonly windows: Windows;
  /** Undefined where no plugin delivers changes. */
  readonly changes: Changes | undefined;
  readonly log: Logger;
}

export class Warnings {
  readonly #parts: WarningParts;
  readonly #told = new Set<string>();

  constructor(parts: WarningParts) {
    this.#parts = parts;
  }

  /** `used`: of the window in storage, with what instances hold in advance. */
  see(standing: Standing, used: number): void {
    const { id, limit, limitOf } = standing;
    if (limitOf.unit !== 'usd' || used < limit * limitOf.warnAt || this.#told.has(id)) return;
    if (this.#told.size >= MOST_TOLD) this.#told.clear();
    this.#told.add(id);
    this.#tell(standing, used).catch((error: unknown) => {
      this.#told.delete(id);
      this.#parts.log.warn({ err: error }, 'a budget that is nearly spent waits to be told');
    });
  }

  async #tell({ id, rule, subject, limit, ends, limitOf: { per } }: Standing, used: number): Promise<void> {
    const { storage, windows, changes, log } = this.#parts;
    const data = {
      rule,
      of: subject,
      usd: limit / NANO,
      per,
      used: used / NANO,
      resets: new Date(ends).toISOString(),
    };
    const isFirst =
      changes?.wants(TYPE) === true
        ? await storage.transaction(async (tx) => {
            const marked = await windows.markWarned(id, tx);
            if (marked) await changes.record(tx, { type: TYPE, subject: id, data });
            return marked;
          })
        : await windows.markWarned(id);
    if (isFirst) log.warn(data, 'a budget is nearly spent');
  }
}
