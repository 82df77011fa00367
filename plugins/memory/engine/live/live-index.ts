/**
 * The in-memory indexes of the live entries: words, vectors, sessions and counts. Derived, and never the truth:
 * what is found here is read from the storage before anyone sees it.
 */
import { inTurns, type Clock, type Logger } from 'plugboard/sdk';
import { analyzeInSteps, type Analysis } from '../analyzer/analyze.js';
import type { EntryAttributes } from '../base/attributes.js';
import type { EntryDocument } from '../entries/document.js';
import { KeywordIndex } from '../keyword/index.js';
import { Sessions } from '../ranking/sessions.js';
import { VectorIndex, type Nearest, type VectorSearch } from '../vector/index.js';
import { VectorIndexFull } from '../vector/matrix.js';
import { Catalog, factsOf, spaceOf, type Facts } from './catalog.js';

export class LiveIndex {
  readonly catalog = new Catalog();
  readonly keyword: KeywordIndex;
  readonly sessions: Sessions;
  /** By vector space, see `spaceOf`. */
  readonly #vectors = new Map<string, VectorIndex>();
  readonly #clock: Clock;
  readonly #log: Pick<Logger, 'warn'>;
  /** Why vectors of a space are left out, by the space. */
  readonly #refusals = new Map<string, string>();
  /** The last revision of entries that are gone: states up to it must not revive them. */
  readonly #tombstones = new Map<string, number>();
  /** Entries whose words are being read. */
  readonly #arriving = new Set<{ readonly id: string; gone: boolean }>();
  readonly #generations = new Map<string | null, number>();

  constructor(clock: Clock, log: Pick<Logger, 'warn'>) {
    this.#clock = clock;
    this.#log = log;
    this.keyword = new KeywordIndex(clock);
    this.sessions = new Sessions(clock);
  }

  /** Takes a state of an entry in; one that is older than what is known changes nothing. */
  async put(entry: EntryDocument): Promise<void> {
    if (this.#isOld(entry)) return;
    if (entry.archived || this.#hasWordsOf(entry)) return this.#take(entry, undefined);
    const arrival = { id: entry._id, gone: false };
    this.#arriving.add(arrival);
    const words = await inTurns(analyzeInSteps(textOf(entry)));
    this.#arriving.delete(arrival);
    // A later state may have come meanwhile, or the deletion.
    if (!arrival.gone && !this.#isOld(entry)) this.#take(entry, words);
  }

  #isOld({ _id: id, revision }: EntryDocument): boolean {
    return revision <= Math.max(this.catalog.get(id)?.revision ?? 0, this.#tombstones.get(id) ?? 0);
  }

  #hasWordsOf({ _id: id, contentVersion, key }: EntryDocument): boolean {
    const known = this.catalog.get(id);
    return known?.contentVersion === contentVersion && known.key === key;
  }

  #take(entry: EntryDocument, words: Analysis | undefined): void {
    const { _id: id, revision } = entry;
    const known = this.catalog.get(id);
    if (entry.archived) return this.#bury(id, revision);
    const attributes = attributesOf(entry);
    if (!this.#hasWordsOf(entry) || !this.keyword.setAttributes(id, attributes))
      this.keyword.upsert(id, attributes, words ?? textOf(entry));
    this.sessions.upsert(id, attributes, entry);
    this.#putVector(entry, attributes, known);
    this.catalog.set(factsOf(entry));
    this.#tombstones.delete(id);
    this.#touch(entry.apiKeyId);
  }

  /** This instance deleted the entry; the feed may still bring states from before. */
  deleting(id: string): void {
    this.#stopArrivals(id);
    // What the feed has dropped already cannot come back.
    if (this.catalog.get(id) !== undefined) this.#bury(id, Infinity);
  }

  /** The feed brought the deletion, or the storage has no such entry: nothing older can follow. */
  deleted(id: string): void {
    this.#stopArrivals(id);
    this.#tombstones.delete(id);
    this.#drop(id);
  }

  #stopArrivals(id: string): void {
    for (const arrival of this.#arriving) if (arrival.id === id) arrival.gone = true;
  }

  /** Undefined: no entry has a vector of this model and size. */
  async nearest(model: string, vector: Float32Array, search: VectorSearch): Promise<Nearest | undefined> {
    return this.#vectors.get(spaceOf(model, vector.length))?.nearest(vector, search);
  }

  /** The cosines of entries' vectors of a model with a query's, by id; those that have none are left out. */
  cosines(model: string, vector: Float32Array, ids: readonly string[]): ReadonlyMap<string, number> {
    return this.#vectors.get(spaceOf(model, vector.length))?.cosines(vector, ids) ?? new Map();
  }

  /** Whether the owner has entries, and none of them a vector that could be compared with one of this space. */
  lacksVectors(owner: string | null, model: string, dimensions: number): boolean {
    const index = this.#vectors.get(spaceOf(model, dimensions));
    let any = false;
    for (const { id } of this.catalog.matching({ owner }, this.#clock.now())) {
      if (index?.has(id)) return false;
      any = true;
    }
    return any;
  }

  /** Why some entries are found by their words alone; null: every stored vector is compared. */
  get refusal(): string | null {
    return this.#refusals.values().next().value ?? null;
  }

  /** The unit vector of an entry, whatever model made it. */
  vector(id: string): Float32Array | undefined {
    const space = this.catalog.get(id)?.space;
    return space ? this.#vectors.get(space)?.vector(id) : undefined;
  }

  /** Changes whenever an entry of the owner does: what was computed from an older one may be out of date. */
  generation(owner: string | null): number {
    return this.#generations.get(owner) ?? 0;
  }

  async close(): Promise<void> {
    for (const index of this.#vectors.values()) await index.close();
  }

  #putVector(entry: EntryDocument, attributes: EntryAttributes, known: Facts | undefined): void {
    const { _id: id, vectorModel: model, vector } = entry;
    const space = model === null || vector === null ? null : spaceOf(model, vector.byteLength / 4);
    if (known?.space && known.space !== space) this.#vectors.get(known.space)?.delete(id);
    if (space === null || model === null || vector === null) return;
    try {
      const index = this.#vectors.get(space) ?? this.#newIndex(space, model, vector.byteLength / 4);
      index.upsert(id, attributes, vector);
    } catch (error) {
      this.#leaveOut(id, space, error);
    }
  }

  /** A vector that cannot be kept costs the entry its neighbours, and neither the write nor the start of the server. */
  #leaveOut(id: string, space: string, error: unknown): void {
    if (!(error instanceof RangeError || error instanceof VectorIndexFull)) throw error;
    this.#vectors.get(space)?.delete(id);
    if (this.#refusals.has(space)) return;
    this.#refusals.set(space, error.message);
    this.#log.warn({ space, id, reason: error.message }, 'entries are found by their words alone');
  }

  #newIndex(space: string, model: string, dimensions: number): VectorIndex {
    const index = new VectorIndex({ model, dimensions, clock: this.#clock });
    this.#vectors.set(space, index);
    return index;
  }

  #bury(id: string, revision: number): void {
    this.#tombstones.set(id, revision);
    this.#drop(id);
  }

  #drop(id: string): void {
    const known = this.catalog.get(id);
    if (known === undefined) return;
    this.keyword.delete(id);
    this.sessions.delete(id);
    if (known.space !== null) this.#vectors.get(known.space)?.delete(id);
    this.catalog.delete(id);
    this.#touch(known.owner);
  }

  #touch(owner: string | null): void {
    this.#generations.set(owner, this.generation(owner) + 1);
  }
}

function textOf({ key, content }: EntryDocument): string {
  return `${key}\n${content}`;
}

function attributesOf(entry: EntryDocument): EntryAttributes {
  return {
    owner: entry.apiKeyId,
    type: entry.type,
    session: entry.sessionId,
    user: entry.userId ?? null,
    createdAt: entry.createdAt.getTime(),
    expiresAt: entry.expiresAt?.getTime() ?? null,
    archived: entry.archived,
  };
}
