/** The data API of one catalog: reads it, keeps it in force, and reloads it without a gap. */
import { basename, resolve } from 'node:path';
import type { Clock, Logger, Storage } from 'plugboard/sdk';
import type { ApiContext } from './front/api/context.js';
import { readForModule } from './front/api/module-database.js';
import { readCatalogFile } from './engine/catalog/read.js';
import { Budget } from './engine/base/budget.js';
import { Outflow } from './front/outflow.js';
import { Modules } from './engine/rpc/modules.js';
import { RowStore } from './engine/rows/row-store.js';
import type { DataqueryConfig } from './schema.js';
import { schemaState, type SchemaState } from './engine/schema-state.js';

export interface LoadedCatalog {
  readonly schemas: number;
  readonly relations: number;
  readonly functions: number;
  /** Rendered with their places. */
  readonly warnings: readonly string[];
}

export class DataService {
  readonly store: RowStore;
  readonly outflow: Outflow;
  readonly #config: DataqueryConfig;
  readonly #prefix: string;
  readonly #file: string;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #modules = new Modules();
  #state: SchemaState | undefined;

  constructor(
    config: DataqueryConfig,
    baseDir: string,
    prefix: string,
    services: { storage: Storage; clock: Clock },
    log: Logger,
  ) {
    this.#config = config;
    this.#prefix = prefix;
    this.#file = resolve(baseDir, config.catalog);
    this.#clock = services.clock;
    this.#log = log;
    this.store = new RowStore(services.storage);
    this.outflow = new Outflow(config.maxWaiting);
  }

  /** Reads the catalog and puts it in force; with problems the one before stays. Throws a CatalogError. */
  async load(): Promise<LoadedCatalog> {
    const { catalog, warnings } = await readCatalogFile(this.#file, basename(this.#file));
    const state = schemaState(catalog);
    this.store.declare(catalog);
    this.#state = state;
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
    if (this.#state === undefined) throw new TypeError('the catalog has not been loaded');
    return this.#state;
  }

  /** For one request: what it sees does not change when the catalog is reloaded. */
  context(): ApiContext {
    const { maxRows, maxDepth, maxEmbeds, maxFilters, maxWriteRows, aggregates, txEnd, openapi } =
      this.#config;
    const { maxReadRows, maxAnswer, maxTime } = this.#config;
    const context: ApiContext = {
      state: this.state,
      store: this.store,
      clock: this.#clock,
      limits: { maxRows, maxDepth, maxEmbeds, maxFilters, aggregates },
      maxWriteRows,
      budget: new Budget({ rows: maxReadRows, characters: maxAnswer, milliseconds: maxTime }),
      transactionEnd: txEnd,
      describes: openapi,
      basePath: this.#prefix,
      call: (called, args) =>
        this.#modules.call(called, args, {
          read: (request) => readForModule(context, called.schema, request),
        }),
    };
    return context;
  }
}
