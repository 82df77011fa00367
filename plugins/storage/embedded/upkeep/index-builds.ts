/**
 * Builds new indexes over existing documents, a few at a time between other reads and writes. Writes maintain an index
 * from its declaration on; queries use it once it is complete. An interrupted build resumes at the next start.
 */
import { type Logger, nextTurn } from 'plugboard/sdk';
import { decode } from '../../bson/decode.js';
import { DUPLICATES_NAMED, duplicatesRefused } from '../../duplicates.js';
import { buildKey, type Catalog } from '../catalog.js';
import type { CollectionDefinition, IndexDefinition } from '../definition.js';
import { addToIndex } from '../documents.js';
import type { Environment } from '../lmdb/environment.js';
import { removeNumber } from './orphans.js';
import { prefix } from '../values/key-encoding.js';
import type { WriteBatch } from '../write/batch.js';
import type { WriteQueue } from '../write/write-queue.js';

/** Bounds of a step: milliseconds on the event loop without the commit, and documents. */
const STEP_MS = 4;
const STEP_DOCUMENTS = 256;
const REPORT_MS = 5000;

export class IndexBuilds {
  readonly #environment: Environment;
  readonly #catalog: Catalog;
  readonly #queue: WriteQueue;
  readonly #log: Pick<Logger, 'info' | 'error'>;
  /** By collection. */
  readonly #builds = new Map<string, Promise<void>>();
  /** One build at a time: steps of several would share a commit and block the event loop together. */
  #last: Promise<void> = Promise.resolve();
  #progress = (): void => {};
  /** Nobody waits for `allReady` any more. */
  #serving = false;
  #stopped = false;

  constructor(
    environment: Environment,
    catalog: Catalog,
    queue: WriteQueue,
    log: Pick<Logger, 'info' | 'error'>,
  ) {
    this.#environment = environment;
    this.#catalog = catalog;
    this.#queue = queue;
    this.#log = log;
  }

  /** Builds missing indexes of a collection, and removes the entries of removed ones. */
  begin(name: string, dropped: readonly number[]): void {
    const { indexes } = this.#catalog.collection(name);
    const missing = indexes.filter(({ building }) => building);
    if (dropped.length + missing.length === 0) return;
    const build = this.#last.then(async () => {
      for (const number of dropped) await this.#remove(number);
      for (const index of missing) await this.#build(name, index);
    });
    this.#builds.set(name, build);
    this.#last = build.catch((error: unknown) => {
      if (this.#serving) this.#log.error({ err: error, collection: name }, 'an index was not built');
    });
  }

  /** Resolves when the indexes of a collection are complete; rejects if one cannot be built. */
  async ready(name: string): Promise<void> {
    await this.#builds.get(name);
  }

  /** The same for all collections, before the server takes requests. `progress` is called at each step. */
  async allReady(progress: () => void): Promise<void> {
    this.#progress = progress;
    for (const build of this.#builds.values()) await build;
    this.#progress = () => {};
    this.#serving = true;
  }

  /** Resolves when the current step has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#last;
  }

  async #remove(number: number): Promise<void> {
    if (!this.#stopped) await removeNumber(this.#environment, 'indexes', number);
  }

  async #build(name: string, { number, spec }: IndexDefinition): Promise<void> {
    const build = new Build(number);
    let report = performance.now() + REPORT_MS;
    for (let goesOn = true; goesOn && !this.#stopped; await nextTurn()) {
      goesOn = await this.#queue.submit((batch) => build.step(batch, this.#catalog.collection(name)));
      this.#progress();
      if (performance.now() < report) continue;
      report = performance.now() + REPORT_MS;
      const fields = { collection: name, documents: build.documents };
      this.#log.info(fields, `building the index ${Object.keys(spec.keys).join(',')} of "${name}"`);
    }
    const ids = [...build.duplicates];
    if (ids.length > 0) throw duplicatesRefused(name, spec, ids.slice(0, DUPLICATES_NAMED));
  }
}

class Build {
  readonly duplicates = new Set<string>();
  documents = 0;
  readonly #number: number;
  #last: Buffer | undefined;

  constructor(number: number) {
    this.#number = number;
  }

  /** False if the index is complete, cannot be built, or is no longer declared. */
  step(batch: WriteBatch, collection: CollectionDefinition): boolean {
    const index = collection.indexes.find(({ number, building }) => number === this.#number && building);
    if (index === undefined) return false;
    const more = this.#fill(batch, collection, index);
    const key = buildKey(this.#number);
    if (more && this.duplicates.size === 0) batch.put('catalog', key, this.#last!);
    // Also if documents share a key: the next start checks all of them again.
    else batch.remove('catalog', key);
    if (!more && this.duplicates.size === 0) batch.learn(collection, { kind: 'built', index: this.#number });
    return more && this.duplicates.size < DUPLICATES_NAMED;
  }

  /** Whether documents are left. */
  #fill(batch: WriteBatch, collection: CollectionDefinition, index: IndexDefinition): boolean {
    const until = performance.now() + STEP_MS;
    this.#last ??= copied(batch.get('catalog', buildKey(this.#number)));
    const range = { start: this.#last ?? prefix(collection.number), end: prefix(collection.number + 1) };
    const walk = batch.walk('documents', range);
    try {
      for (let looked = 0; walk.step(); looked++) {
        const at = walk.key;
        if (this.#last?.equals(at)) continue;
        for (const id of addToIndex(batch, collection, index, decode(walk.bytes))) this.duplicates.add(id);
        this.#last = at;
        this.documents++;
        if (looked >= STEP_DOCUMENTS || performance.now() > until) return true;
      }
      return false;
    } finally {
      walk.end();
    }
  }
}

function copied(bytes: Buffer | undefined): Buffer | undefined {
  return bytes && Buffer.from(bytes);
}
