/** Dropped values are kept for a week, and then deleted. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from 'plugboard/sdk';
import type { RowStore } from '../rows/row-store.js';
import type { CatalogPlans } from './catalog-plans.js';
import { stateOf, type CatalogRecords } from './catalog-record.js';
import type { Reserved } from './identify.js';
import { deleteReserved, describeKept, keptNamed, keptOf, splitDropped, withDropped } from './kept.js';
import type { MigrationProgress } from './migrate.js';

const WEEK = 7 * 24 * 3_600_000;
/** Milliseconds within which all instances learn of a new catalog. */
const NOTICE = 1_000;
/** How often another instance may win before this one gives up. */
const ATTEMPTS = 10;

export class Drops {
  readonly #store: RowStore;
  readonly #records: CatalogRecords;
  readonly #plans: CatalogPlans;
  readonly #clock: Clock;

  constructor(store: RowStore, records: CatalogRecords, plans: CatalogPlans, clock: Clock) {
    this.#store = store;
    this.#records = records;
    this.#plans = plans;
    this.#clock = clock;
  }

  /** What was dropped, in words; with `now` it is deleted next. */
  async drop(names: readonly string[], now: boolean): Promise<readonly string[]> {
    const record = await this.#records.current();
    if (record === null) return [];
    const ledger = await this.#plans.ledger(record);
    const { catalog } = await this.#plans.readable(record.text, ledger);
    const all = keptOf(ledger);
    // Those of an earlier attempt are gone.
    const kept = names.flatMap((name) => keptNamed(all, catalog, name) ?? []);
    const described: string[] = [];
    for (const one of kept) described.push(await describeKept(this.#store, one));
    const at = this.#clock.now();
    const next = { ...stateOf(record), ledger: withDropped(ledger, kept, new Date(at)) };
    if (!(await this.#records.replace(record.version, next)))
      throw new Error('the catalog was changed meanwhile');
    const until = new Date(at + WEEK).toISOString().slice(0, 10);
    return described.map((text) => `dropped ${text}${now ? '' : `, which is deleted on ${until}`}`);
  }

  /** Deletes what was dropped a week ago, or with `now` everything dropped. */
  async purge(progress: MigrationProgress, signal: AbortSignal, now = false): Promise<void> {
    const record = await this.#records.current();
    if (record?.ledger === undefined) return;
    const until = new Date(this.#clock.now() - (now ? 0 : WEEK));
    const { ledger, due } = splitDropped(record.ledger, until);
    const purging = [...(record.purging ?? []), ...due];
    if (purging.length === 0) return;
    // From here on nobody declares it again.
    if (!(await this.#records.replace(record.version, { ...stateOf(record), ledger, purging })))
      throw new Error('the catalog was changed meanwhile');
    // Instances that do not have the new catalog yet still show it.
    await wait(NOTICE, undefined, { signal });
    let rows = 0;
    for (const one of purging) {
      await deleteReserved(this.#store, one, signal, (count) => progress.progress((rows += count), null));
      await this.#store.sizes.recount(one.collection);
    }
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const current = await this.#records.current();
      if (current === null) return;
      const left = (current.purging ?? []).filter((one) => !purging.some((done) => isSame(done, one)));
      if (await this.#records.replace(current.version, { ...stateOf(current), purging: left })) return;
    }
  }
}

function isSame(a: Reserved, b: Reserved): boolean {
  return a.collection === b.collection && a.field === b.field;
}
