/** Compares the catalog file with the catalog in force, and says what applying it would change. */
import { readFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { Clock, Logger } from 'plugboard/sdk';
import type { Catalog } from '../catalog/model.js';
import { CatalogError, readCatalog } from '../catalog/read.js';
import { withdrawnIndexes, type Withdrawn } from '../rows/indexes.js';
import type { RowStore } from '../rows/row-store.js';
import { claimsOf } from '../policies/check.js';
import { schemaState } from '../schema/schema-state.js';
import { numberOf, type CatalogRecord, type CatalogRecords } from './catalog-record.js';
import { compareCatalogs } from './compare.js';
import { identify } from './identify.js';
import { ledgerOf, withIdentities, type Ledger } from './ledger.js';
import { planEvolution, type EvolutionPlan } from './plan.js';

export interface Loaded {
  readonly catalog: Catalog;
  readonly warnings: string;
}

export interface CatalogPlan extends EvolutionPlan {
  readonly withdrawn: Withdrawn;
  /** If the file is an older catalog than the one in force. */
  readonly older: OlderCatalog | undefined;
}

export interface OlderCatalog {
  /** In words: both catalogs, and the names that changed. */
  readonly text: string;
  /** Whether applying it would give something its former name again. */
  readonly renames: boolean;
  /** The file's catalog over the current rows; undefined if writes under it would break the one in force. */
  readonly view: Loaded | undefined;
}

export class CatalogPlans {
  readonly #file: string;
  readonly #store: RowStore;
  readonly #records: CatalogRecords;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #signal: AbortSignal;

  constructor(
    file: string,
    store: RowStore,
    records: CatalogRecords,
    { clock, log, signal }: { clock: Clock; log: Logger; signal: AbortSignal },
  ) {
    this.#file = file;
    this.#store = store;
    this.#records = records;
    this.#clock = clock;
    this.#log = log;
    this.#signal = signal;
  }

  /** The text of the file. */
  async text(): Promise<string> {
    try {
      return await readFile(this.#file, 'utf8');
    } catch (cause) {
      const { code, message } = cause as NodeJS.ErrnoException;
      throw new CatalogError(`the catalog ${this.#file} cannot be read: ${code ?? message}`, { cause });
    }
  }

  /** Throws a CatalogError. */
  async readable(text: string, ledger: Ledger): Promise<Loaded> {
    const read = readCatalog(text, basename(this.#file), dirname(this.#file), claimsOf);
    await read.loadDomains();
    const catalog = withIdentities(read.catalog, ledger);
    schemaState(catalog);
    return { catalog, warnings: read.warnings };
  }

  /** For records of the first versions it is made from their members. Throws a CatalogError. */
  async ledger(record: CatalogRecord): Promise<Ledger> {
    return record.ledger ?? ledgerOf((await this.readable(record.text, [])).catalog, record);
  }

  /** `record` is null if nothing is stored yet. Throws a CatalogError. */
  async plan(record: CatalogRecord | null, text: string): Promise<CatalogPlan> {
    const plain = await this.readable(text, []);
    const stored = record === null ? undefined : await this.#stored(record);
    // If the stored catalog cannot be read (a module is gone), its rows are taken to be of the new one.
    const ledger = stored?.ledger ?? record?.ledger ?? ledgerOf(plain.catalog, record ?? {});
    const identified = identify(ledger, plain.catalog, record?.purging);
    const after = withIdentities(plain.catalog, identified.ledger);
    const before = stored?.catalog ?? after;
    const difference = compareCatalogs(before, after, identified.ledger);
    // With their indexes: a collection declared without them would lose them.
    if (stored === undefined) this.#store.declareNew(before);
    else this.#store.declareStored(before);
    this.#store.declareNew(after);
    const context = { store: this.#store, clock: this.#clock, signal: this.#signal };
    const plan = await planEvolution(context, difference, schemaState(after));
    const older = await this.#older(record, text, identified, () => {
      const loses = compareCatalogs(after, before, ledger).relations.some(
        ({ isNew, work, foreignKeys }) => (isNew ? foreignKeys : work).length > 0,
      );
      const isOpener = guardText(after) !== guardText(before);
      return plan.needsMigration || loses || isOpener
        ? undefined
        : { catalog: after, warnings: plain.warnings };
    });
    return { ...plan, withdrawn: withdrawnIndexes(before, after, record?.withdrawn ?? {}), older };
  }

  async #older(
    record: CatalogRecord | null,
    text: string,
    { former, renamed }: { former: readonly string[]; renamed: boolean },
    view: () => Loaded | undefined,
  ): Promise<OlderCatalog | undefined> {
    const past = await this.#records.pastWith(text);
    if (record === null || (past === undefined && former.length === 0)) return undefined;
    const what = past === undefined ? 'an older catalog' : `catalog ${past.number}`;
    const names = former.length === 0 ? '' : `: ${former.join(', ')}`;
    return {
      text: `the catalog file is ${what}, and catalog ${numberOf(record)} is in force${names}`,
      renames: former.length > 0 || renamed,
      view: view(),
    };
  }

  async #stored(record: CatalogRecord): Promise<{ catalog: Catalog; ledger: Ledger } | undefined> {
    try {
      const ledger = await this.ledger(record);
      return { ledger, catalog: (await this.readable(record.text, ledger)).catalog };
    } catch (error) {
      if (!(error instanceof CatalogError)) throw error;
      this.#log.warn({ err: error }, 'the stored catalog cannot be read, so changes cannot be told');
      return undefined;
    }
  }
}

/** Who may see what: an older file must not open what the catalog in force closes. */
function guardText(catalog: Catalog): string {
  const schemas = [...catalog.schemas.values()];
  const relations = schemas
    .flatMap((schema) => [...schema.relations.values()])
    .filter(({ grants, policies, definer }) => grants !== undefined || policies.length > 0 || definer)
    .map(({ schema, name, grants, policies, definer }) => [
      schema,
      name,
      [...(grants ?? [])],
      policies,
      definer,
    ]);
  const functions = schemas
    .flatMap((schema) => [...schema.functions.values()].flat())
    .filter(({ definer }) => definer)
    .map(({ schema, name }) => [schema, name]);
  return JSON.stringify([...relations, ...functions].map((guard) => JSON.stringify(guard)).sort());
}
