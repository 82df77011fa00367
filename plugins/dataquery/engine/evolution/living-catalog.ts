/**
 * The catalog in force. A new one is compared with the one under which the rows are stored: what cannot fail is taken
 * at once, on every instance; for the rest the old one stays until a migration has made the rows what the new one says.
 */
import { readFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Clock, Logger, Storage } from 'plugboard/sdk';
import type { Catalog } from '../catalog/model.js';
import { CatalogError, readCatalog } from '../catalog/read.js';
import type { RowStore } from '../rows/row-store.js';
import { schemaState, type SchemaState } from '../schema/schema-state.js';
import { CatalogRecords, type CatalogRecord, type CatalogState } from './catalog-record.js';
import { compareCatalogs } from './compare.js';
import { withFields, type Fields } from './fields.js';
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

  /** At the start: the file's catalog, or the stored one where the file's needs a migration. Throws a CatalogError. */
  async open(): Promise<Loaded> {
    try {
      return await this.reload();
    } catch (error) {
      if (!(error instanceof MigrationNeeded)) throw error;
      const record = await this.#records.current();
      if (record === null) throw error;
      this.#log.error(`the catalog before stays in force: ${error.message}`);
      return this.#adopt(record);
    }
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
          `the catalog needs a migration (plugboard catalog migrate)\n${planText(plan)}`,
        );
      }
      const { fields = {}, retired = {} } = plan?.difference ?? {};
      const next = { text, fields, retired, holdUntil: null };
      // Read before it is stored: one with problems in its modules must not reach other instances.
      await this.#readable(text, fields);
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

  /** Keeps the file's text for a job, which may run in another instance. Throws a CatalogError. */
  async propose(): Promise<void> {
    const text = await this.#read();
    await this.#readable(text, {});
    await this.#records.propose(text);
  }

  /** Makes the rows what the proposed catalog says and puts it in force. */
  async migrate(progress: MigrationProgress, signal: AbortSignal): Promise<MigrationResult> {
    const record = await this.#records.current();
    const text = await this.#records.proposed();
    if (record === null || text === undefined) throw new TypeError('no catalog is stored, or none proposed');
    if (record.text === text) return { applied: true, plan: 'nothing changes' };
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
      const next = { text, fields, retired, holdUntil: null };
      await store(next);
      await this.#adopt({ _id: 'current', version, ...next });
    };
    try {
      await migrate(context, plan.difference, progress, hold, publish);
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

  async #plan(record: CatalogRecord, text: string): Promise<EvolutionPlan> {
    const after = (await this.#readable(text, {})).catalog;
    const stored = await this.#stored(record);
    // Rows of a catalog that cannot be read any more (a module is gone) are taken to be of the new one.
    const before = stored ?? withFields(after, record.fields);
    const difference = compareCatalogs(before, after, record.retired);
    // With their indexes: a collection that is declared without them loses them.
    if (stored === undefined) this.#store.declareNew(before);
    else this.#store.declareStored(stored);
    const context = { store: this.#store, clock: this.#clock, signal: this.#signal };
    return planEvolution(context, difference, schemaState(difference.catalog));
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
    const state = schemaState(read.catalog);
    this.#store.declare(read.catalog);
    this.#state = state;
    this.#version = record.version;
    this.#text = record.text;
    return read;
  }
}

function stateOf({ text, fields, retired, holdUntil }: CatalogRecord): CatalogState {
  return { text, fields, retired, holdUntil };
}
