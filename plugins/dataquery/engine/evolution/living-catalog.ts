/**
 * The catalog in force. A new one is compared with the one under which the rows are stored: what cannot fail is applied
 * at once, on every instance; for the rest the old one stays until a migration has changed the rows.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { isStorageError, type Clock, type Logger, type Storage } from 'plugboard/sdk';
import type { Catalog } from '../catalog/model.js';
import { CatalogError } from '../catalog/read.js';
import type { RowStore } from '../rows/row-store.js';
import { schemaState, type SchemaState } from '../schema/schema-state.js';
import { CatalogPlans, type CatalogPlan, type Loaded, type OlderCatalog } from './catalog-plans.js';
import {
  CatalogRecords,
  numberOf,
  stateOf,
  type CatalogRecord,
  type CatalogState,
} from './catalog-record.js';
import type { CatalogDifference } from './compare.js';
import { Drops } from './drops.js';
import { assertKept, keptOf } from './kept.js';
import { migrate, MigrationRefused, type MigrationProgress } from './migrate.js';
import { planText, type EvolutionPlan } from './plan.js';

/** The new catalog needs a migration; the message says why. */
export class MigrationNeeded extends CatalogError {
  readonly older: OlderCatalog | undefined;

  constructor(plan: CatalogPlan) {
    const { older } = plan;
    super(
      older === undefined
        ? `the catalog needs a migration: run "plugboard catalog migrate", or put the file before back\n${planText(plan)}`
        : `${older.text}\nput the newer file in its place, or run "plugboard catalog migrate" to go back to it\n${planText(plan)}`,
    );
    this.older = older;
  }
}

/** What a migration did, or why it did nothing. */
export interface MigrationResult {
  readonly applied: boolean;
  readonly plan: string;
}

/** Milliseconds for which writes are held at most, and within which all instances learn of it. */
const HOLD = 10_000;
const NOTICE = 1_000;
/** How often another instance may win before this one gives up. */
const ATTEMPTS = 10;

export class LivingCatalog {
  readonly #plans: CatalogPlans;
  readonly #drops: Drops;
  readonly #store: RowStore;
  readonly #records: CatalogRecords;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #signal: AbortSignal;
  #state: SchemaState | undefined;
  #version = 0;
  #text = '';
  #holdUntil = 0;
  #writing = 0;
  #behind: CatalogError | undefined;
  /** The text of the file while a newer catalog serves its names. */
  #olderText: string | undefined;

  constructor(
    file: string,
    store: RowStore,
    services: { storage: Storage; clock: Clock },
    log: Logger,
    signal: AbortSignal,
  ) {
    this.#store = store;
    this.#records = new CatalogRecords(services.storage);
    this.#plans = new CatalogPlans(file, store, this.#records, { clock: services.clock, log, signal });
    this.#drops = new Drops(store, this.#records, this.#plans, services.clock);
    this.#clock = services.clock;
    this.#log = log;
    this.#signal = signal;
  }

  get state(): SchemaState {
    if (this.#state === undefined) throw new TypeError('the catalog has not been loaded');
    return this.#state;
  }

  /**
   * At the start: the file's catalog, or the stored one if the file's needs a migration; with `reloading` also if the
   * file has problems. An older file serves as a view. Throws a CatalogError.
   */
  async open(reloading: boolean): Promise<Loaded> {
    try {
      return await this.#take((plan) => plan.needsMigration || plan.older !== undefined);
    } catch (error) {
      if (!(error instanceof CatalogError)) throw error;
      const record = await this.#records.current();
      const needed = error instanceof MigrationNeeded ? error : undefined;
      if (record === null || !(reloading || needed !== undefined)) throw error;
      const view = needed?.older?.view;
      const loaded = view === undefined ? await this.#adopt(record) : this.#view(record, view);
      if (view !== undefined) this.#olderText = await this.#plans.text();
      if (view === undefined || needed?.older?.renames !== false) this.#behind = error;
      else this.#log.warn(`${needed.older.text}; it serves without what is new since`);
      return loaded;
    }
  }

  /** Why the file's catalog is not the one in force. */
  get behind(): CatalogError | undefined {
    return this.#behind;
  }

  /** Whether the names of an older file are served. */
  get isOlder(): boolean {
    return this.#olderText !== undefined;
  }

  /** Whether a migration to the file's catalog was started, on any instance, and has not ended. */
  async isMigrating(): Promise<boolean> {
    const proposal = await this.#records.proposed();
    return proposal !== null && !proposal.over && proposal.text === (await this.#plans.text());
  }

  /** Reads the file and applies its catalog. Throws a CatalogError; then the old one stays. */
  reload(): Promise<Loaded> {
    return this.#take((plan) => plan.needsMigration || plan.older?.renames === true);
  }

  async #take(isRefused: (plan: CatalogPlan) => boolean): Promise<Loaded> {
    const text = await this.#plans.text();
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const record = await this.#records.current();
      if (record?.text === text) return this.#adopt(record);
      const plan = await this.#plans.plan(record, text);
      if (record !== null && isRefused(plan)) throw new MigrationNeeded(plan);
      // Its modules are loaded before it is stored: one with problems must not reach other instances.
      await this.#prepare(plan.difference.catalog);
      const next = stateAfter(record, text, plan);
      if (await this.#records.supersede(record, next, this.#now)) {
        const taken = await this.#records.current();
        if (taken !== null) return this.#adopt(taken);
      }
    }
    throw new CatalogError('the catalog is being changed by other instances; try again');
  }

  get #now(): Date {
    return new Date(this.#clock.now());
  }

  /** What applying the file's catalog would mean. Throws a CatalogError. */
  async plan(): Promise<string> {
    const record = await this.#records.current();
    if (record === null) return 'nothing is stored yet';
    const plan = await this.#plans.plan(record, await this.#plans.text());
    return [...(plan.older === undefined ? [] : [plan.older.text]), planText(plan)].join('\n');
  }

  /** One line for each catalog that has been in force, latest first. */
  async history(): Promise<string> {
    const record = await this.#records.current();
    if (record === null) return 'nothing is stored yet';
    const past = await this.#records.past(numberOf(record));
    const line = (number: number, since: Date | null | undefined, more: string): string =>
      `${number} since ${since?.toISOString() ?? 'a version without history'}${more}`;
    const current = line(numberOf(record), record.since, ' (in force)');
    return [current, ...past.map(({ number, since }) => line(number, since, ''))].join('\n');
  }

  /** The text of a catalog that has been in force. Throws a CatalogError. */
  async textOf(number: number): Promise<string> {
    const record = await this.#records.current();
    const found =
      record !== null && numberOf(record) === number ? record : await this.#records.numbered(number);
    if (found === null)
      throw new CatalogError(`there is no catalog ${number}; "plugboard catalog history" lists them`);
    return found.text;
  }

  /** What going back to a catalog would mean. Throws a CatalogError. */
  async planBack(number: number): Promise<string> {
    const text = await this.textOf(number);
    const record = await this.#records.current();
    return record === null ? 'nothing is stored yet' : planText(await this.#plans.plan(record, text));
  }

  /**
   * Stores the file's text for a job, which may run in another instance. `drop` names columns and relations that the
   * file no longer declares; their values are deleted after a week, or with `now` at once. Throws a CatalogError.
   */
  async propose(drop: readonly string[], now: boolean): Promise<void> {
    const text = await this.#plans.text();
    const { catalog } = await this.#plans.readable(text, []);
    const record = await this.#records.current();
    if (drop.length > 0) {
      const kept = record === null ? [] : keptOf((await this.#plans.plan(record, text)).difference.ledger);
      assertKept(kept, catalog, drop);
    }
    await this.#records.propose(text, drop, now);
  }

  /** Changes the rows to match the proposed catalog, puts it in force, and drops what was requested. */
  async migrate(progress: MigrationProgress, signal: AbortSignal): Promise<MigrationResult> {
    const proposal = await this.#records.proposed();
    if (proposal === null) throw new TypeError('no catalog is proposed');
    const { text, drop, now = false } = proposal;
    const result = await this.#migrateTo(text, progress, signal);
    const dropped = result.applied && drop.length > 0 ? await this.#drops.drop(drop, now) : [];
    if (dropped.length > 0 && now) await this.#drops.purge(progress, signal, true);
    await this.#records.settle(text);
    return { ...result, plan: [result.plan, ...dropped].join('\n') };
  }

  async #migrateTo(text: string, progress: MigrationProgress, signal: AbortSignal): Promise<MigrationResult> {
    const record = await this.#records.current();
    if (record === null) throw new TypeError('no catalog is stored');
    if (record.text === text) {
      await this.#adopt(record);
      return { applied: true, plan: 'nothing changes' };
    }
    const plan = await this.#plans.plan(record, text);
    if (plan.isBroken) return { applied: false, plan: planText(plan) };
    const { catalog } = plan.difference;
    const after = schemaState(catalog);
    // What only the new catalog has is declared now: the migration may look at it.
    this.#store.declareNew(catalog);
    const context = { store: this.#store, clock: this.#clock, checks: after.checks, signal };
    let { version } = record;
    const store = async (next: CatalogState): Promise<void> => {
      if (!(await this.#records.replace(version, next))) throw new Error('the catalog was changed meanwhile');
      version += 1;
    };
    let heldUntil = 0;
    const hold = async (): Promise<void> => {
      heldUntil = Date.now() + HOLD;
      await store({ ...stateOf(record), holdUntil: new Date(heldUntil) });
      this.#holdUntil = heldUntil;
      await wait(NOTICE, undefined, { signal });
      while (this.#writing > 0 && Date.now() < heldUntil) await wait(20, undefined, { signal });
    };
    const publish = async (): Promise<void> => {
      if (Date.now() > heldUntil) throw new Error('writes were held too long; the migration begins again');
      const held = await this.#records.current();
      if (held?.version !== version) throw new Error('the catalog was changed meanwhile');
      for (const { before } of plan.difference.relations)
        if (before.collection !== undefined) await this.#store.sizes.recount(before.collection);
      const next = stateAfter(record, text, plan);
      if (!(await this.#records.supersede(held, next, this.#now)))
        throw new Error('the catalog was changed meanwhile');
      version += 1;
      const taken = await this.#records.current();
      if (taken !== null) await this.#adopt(taken);
    };
    try {
      await migrate(context, withoutEmpty(plan), progress, hold, publish);
      return { applied: true, plan: planText(plan) };
    } catch (error) {
      if (version > record.version) {
        await store({ ...stateOf(record), holdUntil: null });
        this.#holdUntil = 0;
      }
      if (!(error instanceof MigrationRefused)) throw error;
      return { applied: false, plan: planText(await this.#plans.plan(record, text)) };
    }
  }

  /** Deletes what was dropped a week ago. */
  purge(progress: MigrationProgress, signal: AbortSignal): Promise<void> {
    return this.#drops.purge(progress, signal);
  }

  /** Builds indexes before the catalog is in force: an index that the rows violate fails this change only. */
  async #prepare(catalog: Catalog): Promise<void> {
    try {
      this.#store.declare(catalog);
      await this.#store.ready(catalog);
    } catch (error) {
      if (!isStorageError(error, 'duplicate_key')) throw error;
      throw new CatalogError(`rows that violate it were written meanwhile: ${error.message}`, {
        cause: error,
      });
    }
  }

  /** Applies what other instances put in force, until the server stops. */
  follow(): Promise<void> {
    const seen = async (record: CatalogRecord): Promise<void> => {
      // By this machine's clock: others may differ.
      this.#holdUntil = record.holdUntil === null ? 0 : Date.now() + HOLD;
      if (record.version <= this.#version) return;
      if (record.text === this.#text) {
        this.#version = record.version;
        return;
      }
      try {
        if (await this.#staysOlder(record)) return;
        await this.#adopt(record);
        this.#log.info('took the catalog that another instance put in force');
      } catch (error) {
        this.#log.error(
          { err: error },
          'the catalog of another instance cannot be taken; the one before stays',
        );
      }
    };
    return this.#records.follow(seen, { log: this.#log, signal: this.#signal });
  }

  /** Runs a write, which waits while a migration ends. */
  async write<T>(work: () => Promise<T>): Promise<T> {
    while (Date.now() < this.#holdUntil) await wait(20, undefined, { signal: this.#signal });
    this.#writing += 1;
    try {
      return await work();
    } finally {
      this.#writing -= 1;
    }
  }

  /** Whether the older file's catalog still fits this one. */
  async #staysOlder(record: CatalogRecord): Promise<boolean> {
    const text = this.#olderText;
    if (text === undefined || record.text === text) return false;
    const view = (await this.#plans.plan(record, text)).older?.view;
    if (view !== undefined) this.#view(record, view);
    return view !== undefined;
  }

  async #adopt(record: CatalogRecord): Promise<Loaded> {
    const read = await this.#plans.readable(record.text, await this.#plans.ledger(record));
    const state = schemaState(read.catalog);
    this.#store.declare(read.catalog, record.withdrawn);
    this.#serve(record, state);
    this.#behind = undefined;
    this.#olderText = undefined;
    return read;
  }

  /** Storage keeps the indexes of the catalog in force, which planning has declared. */
  #view(record: CatalogRecord, view: Loaded): Loaded {
    this.#serve(record, schemaState(view.catalog));
    return view;
  }

  #serve({ version, text }: CatalogRecord, state: SchemaState): void {
    this.#state = state;
    this.#version = version;
    this.#text = text;
  }
}

/** Without new relations that have no rows. */
function withoutEmpty({ difference, inspections }: EvolutionPlan): CatalogDifference {
  const relations = inspections
    .filter(({ change, rows }) => !change.isNew || rows > 0)
    .map(({ change }) => change);
  return { ...difference, relations };
}

function stateAfter(
  record: CatalogRecord | null,
  text: string,
  { difference: { ledger }, withdrawn }: CatalogPlan,
): CatalogState {
  const { purging = [] } = record ?? {};
  return { text, ledger, purging, withdrawn, holdUntil: null };
}
