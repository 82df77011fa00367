/**
 * The catalog in force. A new one is compared with the one under which the rows are stored: what cannot fail is taken
 * at once, on every instance; for the rest the old one stays until a migration has made the rows what the new one says.
 */
import { readFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isStorageError, type Clock, type Logger, type Storage } from 'plugboard/sdk';
import type { Catalog } from '../catalog/model.js';
import { CatalogError, readCatalog } from '../catalog/read.js';
import { withdrawnIndexes, type Withdrawn } from '../rows/indexes.js';
import type { RowStore } from '../rows/row-store.js';
import { schemaState, type SchemaState } from '../schema/schema-state.js';
import { CatalogRecords, type CatalogRecord, type CatalogState } from './catalog-record.js';
import { compareCatalogs, type CatalogDifference } from './compare.js';
import { withFields, type Fields } from './fields.js';
import { assertKept, dropKept, keptNamed, keptOf, withoutKept } from './kept.js';
import { migrate, MigrationRefused, type MigrationProgress } from './migrate.js';
import { planEvolution, planText, type EvolutionPlan } from './plan.js';

/** The new catalog needs more than is done in passing; the message says what. */
export class MigrationNeeded extends CatalogError {}

export interface Loaded {
  readonly catalog: Catalog;
  readonly warnings: string;
}

/** What a migration did, or what kept it from anything. */
export interface MigrationResult {
  readonly applied: boolean;
  readonly plan: string;
}

/** Milliseconds for which writes are held at most, and in which all instances learn that they are. */
const HOLD = 10_000;
const NOTICE = 1_000;
/** How often another instance may be faster before this one gives up. */
const ATTEMPTS = 10;

export class LivingCatalog {
  readonly #file: string;
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

  constructor(
    file: string,
    store: RowStore,
    services: { storage: Storage; clock: Clock },
    log: Logger,
    signal: AbortSignal,
  ) {
    this.#file = file;
    this.#store = store;
    this.#records = new CatalogRecords(services.storage);
    this.#clock = services.clock;
    this.#log = log;
    this.#signal = signal;
  }

  get state(): SchemaState {
    if (this.#state === undefined) throw new TypeError('the catalog has not been loaded');
    return this.#state;
  }

  /**
   * At the start: the file's catalog, or the stored one where the file's needs a migration; `reloading` also where the
   * file's has problems. Throws a CatalogError.
   */
  async open(reloading: boolean): Promise<Loaded> {
    try {
      return await this.reload();
    } catch (error) {
      if (!(error instanceof CatalogError)) throw error;
      const record = await this.#records.current();
      if (record === null || !(reloading || error instanceof MigrationNeeded)) throw error;
      const loaded = await this.#adopt(record);
      this.#behind = error;
      return loaded;
    }
  }

  /** Why the catalog of the file is not the one in force. */
  get behind(): CatalogError | undefined {
    return this.#behind;
  }

  /** Whether a migration to the catalog of the file was begun, here or elsewhere, and has not ended. */
  async isMigrating(): Promise<boolean> {
    const proposal = await this.#records.proposed();
    return proposal !== null && !proposal.over && proposal.text === (await this.#read());
  }

  /** Reads the file and takes its catalog. Throws a CatalogError; then the one before stays. */
  async reload(): Promise<Loaded> {
    const text = await this.#read();
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const record = await this.#records.current();
      if (record?.text === text) return this.#adopt(record);
      const plan = record === null ? undefined : await this.#plan(record, text);
      if (plan?.needsMigration === true) {
        throw new MigrationNeeded(
          `the catalog needs a migration: run "plugboard catalog migrate", or put the file before back\n${planText(plan)}`,
        );
      }
      const { fields = {}, retired = {} } = plan?.difference ?? {};
      const next = { text, fields, retired, withdrawn: plan?.withdrawn ?? {}, holdUntil: null };
      // Read before it is stored: one with problems in its modules must not reach other instances.
      const { catalog } = await this.#readable(text, fields);
      await this.#prepare(catalog);
      const version = record?.version ?? 0;
      if (await this.#records.replace(version, next)) {
        return this.#adopt({ _id: 'current', version: version + 1, ...next });
      }
    }
    throw new CatalogError('the catalog is being changed by other instances; try again');
  }

  /** What taking the file's catalog would mean. Throws a CatalogError. */
  async plan(): Promise<string> {
    const record = await this.#records.current();
    if (record === null) return 'nothing is stored yet';
    return planText(await this.#plan(record, await this.#read()));
  }

  /**
   * Keeps the file's text for a job, which may run in another instance. `drop` names columns and relations that the
   * file no longer declares. Throws a CatalogError.
   */
  async propose(drop: readonly string[]): Promise<void> {
    const text = await this.#read();
    const { catalog } = await this.#readable(text, {});
    const record = await this.#records.current();
    if (drop.length > 0) {
      const retired = record === null ? {} : (await this.#plan(record, text)).difference.retired;
      assertKept(keptOf({ catalog, retired }), catalog, drop);
    }
    await this.#records.propose(text, drop);
  }

  /** Makes the rows what the proposed catalog says, puts it in force, and drops what it is told to. */
  async migrate(progress: MigrationProgress, signal: AbortSignal): Promise<MigrationResult> {
    const proposal = await this.#records.proposed();
    if (proposal === null) throw new TypeError('no catalog is proposed');
    const { text, drop } = proposal;
    const result = await this.#migrateTo(text, progress, signal);
    const dropped = result.applied && drop.length > 0 ? await this.#drop(drop, progress, signal) : [];
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
    const plan = await this.#plan(record, text);
    if (plan.isBroken) return { applied: false, plan: planText(plan) };
    const { catalog, fields, retired } = plan.difference;
    const after = schemaState(catalog);
    // What comes with the new catalog alone is declared now: the migration may look at it.
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
      const next = { text, fields, retired, withdrawn: plan.withdrawn, holdUntil: null };
      await store(next);
      await this.#adopt({ _id: 'current', version, ...next });
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
      return { applied: false, plan: planText(await this.#plan(record, text)) };
    }
  }

  /** What was dropped, in words. */
  async #drop(
    names: readonly string[],
    progress: MigrationProgress,
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    const record = await this.#records.current();
    if (record === null) return [];
    const { catalog } = await this.#readable(record.text, record.fields);
    const all = keptOf({ catalog, retired: record.retired });
    // Those of an attempt before this one are gone.
    const kept = names.flatMap((name) => keptNamed(all, catalog, name) ?? []);
    // Instances that do not know the new catalog yet still show them.
    await wait(NOTICE, undefined, { signal });
    let rows = 0;
    for (const one of kept) {
      await dropKept(this.#store, one, signal, (count) => progress.progress((rows += count), null));
    }
    const next = { ...stateOf(record), retired: withoutKept(record.retired, kept) };
    if (!(await this.#records.replace(record.version, next)))
      throw new Error('the catalog was changed meanwhile');
    return kept.map(({ name }) => `dropped ${name}`);
  }

  /** Indexes are built before the catalog is in force: one that rows stand in the way of is this change's own failure. */
  async #prepare(catalog: Catalog): Promise<void> {
    try {
      this.#store.declare(catalog);
      await this.#store.ready(catalog);
    } catch (error) {
      if (!isStorageError(error, 'duplicate_key')) throw error;
      throw new CatalogError(`rows were written meanwhile that stand in the way: ${error.message}`, {
        cause: error,
      });
    }
  }

  /** Takes what other instances put in force, until the server stops. */
  follow(): Promise<void> {
    return this.#records.follow(this.#signal, async (record) => {
      // By this machine's clock: those of others may differ.
      this.#holdUntil = record.holdUntil === null ? 0 : Date.now() + HOLD;
      if (record.version <= this.#version) return;
      if (record.text === this.#text) {
        this.#version = record.version;
        return;
      }
      try {
        await this.#adopt(record);
        this.#log.info('took the catalog that another instance put in force');
      } catch (error) {
        this.#log.error(
          { err: error },
          'the catalog of another instance cannot be taken; the one before stays',
        );
      }
    });
  }

  /** Runs a write; while a migration ends, it waits. */
  async write<T>(work: () => Promise<T>): Promise<T> {
    while (Date.now() < this.#holdUntil) await wait(20, undefined, { signal: this.#signal });
    this.#writing += 1;
    try {
      return await work();
    } finally {
      this.#writing -= 1;
    }
  }

  async #read(): Promise<string> {
    try {
      return await readFile(this.#file, 'utf8');
    } catch (cause) {
      const { code, message } = cause as NodeJS.ErrnoException;
      throw new CatalogError(`the catalog ${this.#file} cannot be read: ${code ?? message}`, { cause });
    }
  }

  async #readable(text: string, fields: Fields): Promise<Loaded> {
    const read = readCatalog(text, basename(this.#file), dirname(this.#file));
    await read.loadDomains();
    const catalog = withFields(read.catalog, fields);
    schemaState(catalog);
    return { catalog, warnings: read.warnings };
  }

  async #plan(record: CatalogRecord, text: string): Promise<EvolutionPlan & { withdrawn: Withdrawn }> {
    const after = (await this.#readable(text, {})).catalog;
    const stored = await this.#stored(record);
    // Rows of a catalog that cannot be read any more (a module is gone) are taken to be of the new one.
    const before = stored ?? withFields(after, record.fields);
    const difference = compareCatalogs(before, after, record.retired);
    // With their indexes: a collection that is declared without them loses them.
    if (stored === undefined) this.#store.declareNew(before);
    else this.#store.declareStored(stored);
    this.#store.declareNew(after);
    const context = { store: this.#store, clock: this.#clock, signal: this.#signal };
    const plan = await planEvolution(context, difference, schemaState(difference.catalog));
    return { ...plan, withdrawn: withdrawnIndexes(before, difference.catalog, record.withdrawn ?? {}) };
  }

  async #stored(record: CatalogRecord): Promise<Catalog | undefined> {
    try {
      return (await this.#readable(record.text, record.fields)).catalog;
    } catch (error) {
      if (!(error instanceof CatalogError)) throw error;
      this.#log.warn({ err: error }, 'the stored catalog cannot be read, so changes cannot be told');
      return undefined;
    }
  }

  async #adopt(record: CatalogRecord): Promise<Loaded> {
    const read = await this.#readable(record.text, record.fields);
    const { catalog } = read;
    const state = schemaState(catalog);
    this.#store.declare(catalog, record.withdrawn);
    this.#state = state;
    this.#version = record.version;
    this.#text = record.text;
    this.#behind = undefined;
    return read;
  }
}

/** Without the new relations that have no rows. */
function withoutEmpty({ difference, inspections }: EvolutionPlan): CatalogDifference {
  const relations = inspections
    .filter(({ change, rows }) => !change.isNew || rows > 0)
    .map(({ change }) => change);
  return { ...difference, relations };
}

function stateOf({ _id: _, version: __, ...state }: CatalogRecord): CatalogState {
  return state;
}
