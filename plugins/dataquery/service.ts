/** The data API of one catalog: its state and its lifecycle. */
import { resolve } from 'node:path';
import type { Changes, Clock, Logger, Storage } from 'plugboard/sdk';
import { Budget } from './engine/base/budget.js';
import type { Load } from './engine/base/time-spent.js';
import type { Loaded } from './engine/evolution/catalog-plans.js';
import type { CatalogFunction } from './engine/catalog/model.js';
import { LiveRows } from './engine/live/live-rows.js';
import { LivingCatalog } from './engine/evolution/living-catalog.js';
import { Modules } from './engine/rpc/modules.js';
import { SERVER, type Caller } from './engine/policies/caller.js';
import { RowStore } from './engine/rows/row-store.js';
import type { SchemaState } from './engine/schema/schema-state.js';
import { readContext, type ApiContext } from './front/api/context.js';
import { readForModule } from './front/api/module-database.js';
import { catalogOperations, type CatalogOperations } from './front/openapi/operations.js';
import type { DataqueryConfig } from './schema.js';

export interface LoadedCatalog {
  readonly schemas: number;
  readonly relations: number;
  readonly functions: number;
  /** Rendered with their positions. */
  readonly warnings: readonly string[];
}

const UNDESCRIBED: CatalogOperations = { reads: [], calls: [], writes: [] };

export class DataService {
  readonly store: RowStore;
  readonly catalog: LivingCatalog;
  readonly live: LiveRows;
  readonly #config: DataqueryConfig;
  readonly #prefix: string;
  readonly #clock: Clock;
  readonly #changes: Changes | undefined;
  readonly #log: Logger;
  readonly #modules = new Modules();
  /** For a store in this process. */
  readonly #load: Load = { requests: 0 };

  constructor(
    config: DataqueryConfig,
    { baseDir, prefix, signal }: { baseDir: string; prefix: string; signal: AbortSignal },
    services: { storage: Storage; clock: Clock; changes?: Changes | undefined },
    log: Logger,
  ) {
    this.#config = config;
    this.#prefix = prefix;
    this.#clock = services.clock;
    this.#changes = services.changes;
    this.#log = log;
    this.store = new RowStore(services.storage, config.maxCharacters);
    this.catalog = new LivingCatalog(resolve(baseDir, config.catalog), this.store, services, log, signal);
    this.live = new LiveRows({
      changes: this.store.changes,
      sightOf: (caller) => {
        const context = this.context(caller);
        return { state: context.state, limits: context.limits, reading: readContext(context) };
      },
      most: config.maxSubscriptions,
      mostOfCaller: config.maxSubscriptionsPerCaller,
      log,
      signal,
    });
  }

  /** Puts the catalog of the start in force. Throws a CatalogError. */
  async open(reloading: boolean): Promise<void> {
    this.#told(await this.catalog.open(reloading));
  }

  /** Reads the catalog again; if it has problems the old one stays. Throws a CatalogError. */
  async reload(): Promise<LoadedCatalog> {
    return this.#told(await this.catalog.reload());
  }

  #told({ catalog, warnings }: Loaded): LoadedCatalog {
    if (warnings !== '') this.#log.warn(`the catalog has warnings\n${warnings}`);
    const schemas = [...catalog.schemas.values()];
    return {
      schemas: schemas.length,
      relations: schemas.reduce((sum, { relations }) => sum + relations.size, 0),
      functions: schemas.reduce((sum, { functions }) => sum + functions.size, 0),
      warnings: warnings.split('\n').filter((line) => line.includes(' warning ')),
    };
  }

  get state(): SchemaState {
    return this.catalog.state;
  }

  /** For the catalog in force, in the server's OpenAPI document. */
  operations(): CatalogOperations {
    return this.#config.openapi ? catalogOperations(this.state.catalog) : UNDESCRIBED;
  }

  /** Whether all callable functions of this name only read; false for a missing one. */
  onlyReads(name: string): boolean {
    const { catalog } = this.state;
    const called = catalog.exposed.flatMap(
      (schema) => catalog.schemas.get(schema)?.functions.get(name) ?? [],
    );
    return called.length > 0 && called.every(({ volatile }) => !volatile);
  }

  /** Counts the rows of tables with a limit. */
  async followSizes(signal: AbortSignal): Promise<void> {
    const tables = function* (this: DataService) {
      for (const { relations } of this.state.catalog.schemas.values())
        for (const relation of relations.values())
          if (relation.kind === 'table' && relation.collection !== undefined)
            yield { name: relation.collection, rows: this.store.collection(relation) };
    };
    await this.store.sizes.follow(tables.bind(this), { log: this.#log, signal });
  }

  /** Runs a write, which waits while a migration of the catalog ends. */
  write<T>(work: () => Promise<T>): Promise<T> {
    return this.catalog.write(work);
  }

  /** Counts a request as in progress until the returned function is called. */
  begin(): () => void {
    this.#load.requests += 1;
    return () => void (this.#load.requests -= 1);
  }

  /** For one request: a reload of the catalog does not change what it sees. */
  context(caller: Caller): ApiContext {
    const { maxRows, maxDepth, maxEmbeds, maxFilters, maxWriteRows, aggregates, txEnd, openapi } =
      this.#config;
    const { maxReadRows, maxAnswer, maxTime, maxWrite } = this.#config;
    const context: ApiContext = {
      state: this.state.seenBy(caller),
      store: this.store,
      clock: this.#clock,
      changes: this.#changes,
      limits: { maxRows, maxDepth, maxEmbeds, maxFilters, aggregates },
      maxWriteRows,
      budget: new Budget(
        {
          rows: maxReadRows,
          characters: maxAnswer,
          milliseconds: maxTime,
          writtenRows: maxWriteRows,
          writtenCharacters: maxWrite,
        },
        // Only a store in this process counts its commits.
        this.store.commits === undefined ? undefined : this.#load,
      ),
      transactionEnd: txEnd,
      describes: openapi,
      basePath: this.#prefix,
      call: (called, args) =>
        this.#modules.call(called, args, {
          read: (request) => readForModule(withRightsOf(called, context), called.schema, request),
        }),
    };
    return context;
  }
}

/** A definer's function reads with all rights. */
function withRightsOf({ definer }: CatalogFunction, context: ApiContext): ApiContext {
  return definer ? { ...context, state: context.state.seenBy(SERVER) } : context;
}
