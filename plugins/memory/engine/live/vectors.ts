/** Vectors of the live entries: an index per model and size, and one of word meanings. */
import type { Clock, Logger } from 'plugboard/sdk';
import type { EntryAttributes } from '../base/attributes.js';
import { BUILT_IN } from '../embedding/built-in.js';
import { MEANING_DIMENSIONS } from '../embedding/meaning.js';
import type { EntryDocument } from '../entries/document.js';
import { VectorIndex, type Nearest, type VectorSearch } from '../vector/index.js';
import { VectorIndexFull } from '../vector/matrix.js';
import { spaceOf, type Facts } from './catalog.js';

/**
 * Word meanings, see embedding/meaning.ts, as another model. Entries with built-in vectors need none, as those include
 * them.
 */
export const MEANING = `meaning of ${BUILT_IN}`;

export class Vectors {
  /** By vector space, see `spaceOf`. */
  readonly #spaces = new Map<string, VectorIndex>();
  readonly #clock: Clock;
  readonly #log: Pick<Logger, 'warn'>;
  /** By space: why its vectors are left out. */
  readonly #refusals = new Map<string, string>();

  constructor(clock: Clock, log: Pick<Logger, 'warn'>) {
    this.#clock = clock;
    this.#log = log;
  }

  /** Why some entries are found by words only; null: every stored vector is compared. */
  get refusal(): string | null {
    return this.#refusals.values().next().value ?? null;
  }

  of(model: string, dimensions: number): VectorIndex | undefined {
    return this.#spaces.get(spaceOf(model, dimensions));
  }

  /** Undefined: no entry has a vector of this model and size. */
  async nearest(model: string, vector: Float32Array, search: VectorSearch): Promise<Nearest | undefined> {
    return this.of(model, vector.length)?.nearest(vector, search);
  }

  /** Cosines of the entries' vectors of a model with a query, by id; entries without one are omitted. */
  cosines(model: string, vector: Float32Array, ids: readonly string[]): ReadonlyMap<string, number> {
    return this.of(model, vector.length)?.cosines(vector, ids) ?? new Map();
  }

  /** The unit vector of an entry, of whatever model. */
  vector(id: string, space: string): Float32Array | undefined {
    return this.#spaces.get(space)?.vector(id);
  }

  /** Whether `put` needs the meaning of the text. */
  wantsMeaning({ _id: id, vectorModel }: EntryDocument, isSameText: boolean): boolean {
    return vectorModel !== BUILT_IN && !(isSameText && this.of(MEANING, MEANING_DIMENSIONS)?.has(id));
  }

  /** Undefined `meaning`: unchanged, or none. */
  put(
    entry: EntryDocument,
    attributes: EntryAttributes,
    known: Facts | undefined,
    meaning: Float32Array | undefined,
  ): void {
    const { _id: id, vectorModel: model, vector } = entry;
    const space = model === null || vector === null ? null : spaceOf(model, vector.byteLength / 4);
    if (known?.space && known.space !== space) this.#spaces.get(known.space)?.delete(id);
    if (model !== null && vector !== null) this.#upsert(model, id, attributes, vector);
    if (model === BUILT_IN) this.of(MEANING, MEANING_DIMENSIONS)?.delete(id);
    else if (meaning === undefined) this.of(MEANING, MEANING_DIMENSIONS)?.setAttributes(id, attributes);
    else this.#upsert(MEANING, id, attributes, meaning);
  }

  delete(id: string, { space }: Pick<Facts, 'space'>): void {
    if (space !== null) this.#spaces.get(space)?.delete(id);
    this.of(MEANING, MEANING_DIMENSIONS)?.delete(id);
  }

  async close(): Promise<void> {
    for (const index of this.#spaces.values()) await index.close();
  }

  /** If a vector cannot be added, the entry is found by words only; neither the write nor the start fails. */
  #upsert(model: string, id: string, attributes: EntryAttributes, vector: Float32Array | Uint8Array): void {
    const dimensions = vector instanceof Float32Array ? vector.length : vector.byteLength / 4;
    const space = spaceOf(model, dimensions);
    try {
      const index = this.#spaces.get(space) ?? new VectorIndex({ model, dimensions, clock: this.#clock });
      this.#spaces.set(space, index);
      index.upsert(id, attributes, vector);
    } catch (error) {
      if (!(error instanceof RangeError || error instanceof VectorIndexFull)) throw error;
      this.#spaces.get(space)?.delete(id);
      if (this.#refusals.has(space)) return;
      this.#refusals.set(space, error.message);
      this.#log.warn({ space, id, reason: error.message }, 'entries are found by their words alone');
    }
  }
}
