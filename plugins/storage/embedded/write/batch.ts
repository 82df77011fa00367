/** The writes of one job, buffered until the whole job has succeeded. */
import type { Catalog, Trait } from '../catalog.js';
import type { CollectionDefinition } from '../definition.js';
import type { Change, ChangeLog } from '../changes/change-log.js';
import { learnNow, type Batch } from '../documents.js';
import type { Reader, Writer } from '../lmdb/environment.js';
import { Overlay } from './overlay.js';

export class WriteBatch extends Overlay implements Batch {
  readonly now: number;
  readonly #traits = new Map<string, Trait[]>();
  readonly #changes: (Change & { readonly name: string })[] = [];

  constructor(below: Reader, now: number) {
    super(below);
    this.now = now;
  }

  learn(collection: CollectionDefinition, trait: Trait): void {
    const traits = this.#traits.get(collection.name) ?? [];
    traits.push(trait);
    this.#traits.set(collection.name, traits);
    for (const index of collection.indexes)
      if ('index' in trait && trait.index === index.number) learnNow(index, trait);
  }

  log(collection: CollectionDefinition, id: string, document: Buffer | null): void {
    this.#changes.push({ name: collection.name, collection: collection.number, id, document });
  }

  /** Runs a part of the job; if it throws, only the writes of that part are undone. */
  attempt<T>(part: (batch: WriteBatch) => T): T {
    const inner = new WriteBatch(this, this.now);
    const result = part(inner);
    inner.apply(this);
    for (const [name, traits] of inner.#traits)
      this.#traits.set(name, [...(this.#traits.get(name) ?? []), ...traits]);
    for (const change of inner.#changes) this.#changes.push(change);
    return result;
  }

  /** Writes everything to the transaction. */
  commit(writer: Writer, catalog: Catalog, changes: ChangeLog): void {
    this.apply(writer);
    for (const [name, traits] of this.#traits) catalog.learn(writer, name, traits);
    if (this.#traits.size > 0) catalog.refresh(writer);
    changes.append(
      writer,
      this.#changes.filter(({ name }) => catalog.collection(name).logged),
    );
  }
}
