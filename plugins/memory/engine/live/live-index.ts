/**
 * In-memory indexes of the live entries: words, vectors, sessions and counts. Derived data: every result is read from
 * the storage before it is returned.
 */
import { inTurns, type Clock, type Logger } from 'plugboard/sdk';
import { analyzeInSteps, type Analysis } from '../analyzer/analyze.js';
import type { EntryAttributes } from '../base/attributes.js';
import { MEANING_DIMENSIONS, meaningOf, rarityIn } from '../embedding/meaning.js';
import type { EntryDocument } from '../entries/document.js';
import { validityOf } from '../entries/validity.js';
import { KeywordIndex } from '../keyword/index.js';
import { Sessions } from '../ranking/sessions.js';
import type { Nearest, VectorSearch } from '../vector/index.js';
import { Catalog, factsOf } from './catalog.js';
import { Members } from './members.js';
import { MEANING, Vectors } from './vectors.js';

export interface Meant extends Nearest {
  /** Cosines of the given entries with the query, by id. */
  readonly cosines: (ids: readonly string[]) => ReadonlyMap<string, number>;
}

export class LiveIndex {
  readonly catalog = new Catalog();
  readonly members = new Members();
  readonly keyword: KeywordIndex;
  readonly sessions: Sessions;
  readonly vectors: Vectors;
  readonly #clock: Clock;
  /** Last revision of deleted entries: states up to it must not revive them. */
  readonly #tombstones = new Map<string, number>();
  /** Entries whose words are being analysed. */
  readonly #arriving = new Set<{ readonly id: string; gone: boolean }>();
  readonly #generations = new Map<string | null, number>();

  constructor(clock: Clock, log: Pick<Logger, 'warn'>) {
    this.#clock = clock;
    this.vectors = new Vectors(clock, log);
    this.keyword = new KeywordIndex(clock);
    this.sessions = new Sessions(clock);
  }

  /** Takes in a state of an entry; a state older than the known one is ignored. */
  async put(entry: EntryDocument): Promise<void> {
    if (this.#isOld(entry)) return;
    const isSameText = this.#hasWordsOf(entry);
    const wantsMeaning = this.vectors.wantsMeaning(entry, isSameText);
    if (entry.archived || (isSameText && !wantsMeaning)) return this.#take(entry, isSameText, {});
    const arrival = { id: entry._id, gone: false };
    this.#arriving.add(arrival);
    const words = isSameText ? undefined : await inTurns(analyzeInSteps(textOf(entry)));
    const meaning = wantsMeaning ? await meaningOf(entry.content) : undefined;
    this.#arriving.delete(arrival);
    // A later state, or the deletion, may have arrived meanwhile.
    if (!arrival.gone && !this.#isOld(entry)) this.#take(entry, this.#hasWordsOf(entry), { words, meaning });
  }

  #isOld({ _id: id, revision }: EntryDocument): boolean {
    return revision <= Math.max(this.catalog.get(id)?.revision ?? 0, this.#tombstones.get(id) ?? 0);
  }

  /** The words may be loaded from disk before the first state of an entry arrives: see words-keeper.ts. */
  #hasWordsOf(entry: EntryDocument): boolean {
    const known = this.catalog.get(entry._id);
    return known === undefined
      ? this.keyword.has(entry._id, textOf(entry))
      : known.contentVersion === entry.contentVersion && known.key === entry.key;
  }

  #take(
    entry: EntryDocument,
    isSameText: boolean,
    read: { readonly words?: Analysis | undefined; readonly meaning?: Float32Array | undefined },
  ): void {
    const { _id: id, revision } = entry;
    const known = this.catalog.get(id);
    if (entry.archived) return this.#bury(id, revision);
    const attributes = attributesOf(entry);
    if (!isSameText || !this.keyword.setAttributes(id, attributes))
      this.keyword.upsert(id, attributes, textOf(entry), read.words);
    this.sessions.upsert(id, attributes, entry);
    this.vectors.put(entry, attributes, known, read.meaning);
    this.catalog.set(factsOf(entry));
    this.members.set(id, entry.apiKeyId, entry.metadata);
    this.#tombstones.delete(id);
    this.#touch(entry.apiKeyId);
  }

  /** This instance deleted the entry; the feed may still deliver earlier states. */
  deleting(id: string): void {
    this.#stopArrivals(id);
    // An entry that the feed already removed cannot return.
    if (this.catalog.get(id) !== undefined) this.#bury(id, Infinity);
  }

  /** The feed delivered the deletion, or the storage has no such entry: no older state can follow. */
  deleted(id: string): void {
    this.#stopArrivals(id);
    this.#tombstones.delete(id);
    this.#drop(id);
  }

  /** Drops loaded words of entries that no longer exist. */
  dropUnknownWords(): void {
    for (const id of [...this.keyword.ids()]) if (this.catalog.get(id) === undefined) this.keyword.delete(id);
  }

  #stopArrivals(id: string): void {
    for (const arrival of this.#arriving) if (arrival.id === id) arrival.gone = true;
  }

  /**
   * The entries closest in word meaning to the query, in addition to the vectors of a configured model. Undefined if
   * all entries have built-in vectors, which already cover it.
   */
  async meant(query: string, search: VectorSearch): Promise<Meant | undefined> {
    if (this.vectors.of(MEANING, MEANING_DIMENSIONS) === undefined) return undefined;
    const vector = await meaningOf(query, rarityIn(this.keyword.statistics(search.owner)));
    const nearest = await this.vectors.nearest(MEANING, vector, search);
    return nearest && { ...nearest, cosines: (ids) => this.vectors.cosines(MEANING, vector, ids) };
  }

  /** Whether the owner has entries but none with a vector of this space. */
  lacksVectors(owner: string | null, model: string, dimensions: number): boolean {
    const index = this.vectors.of(model, dimensions);
    let any = false;
    for (const { id } of this.catalog.matching({ owner }, this.#clock.now())) {
      if (index?.has(id)) return false;
      any = true;
    }
    return any;
  }

  /** The unit vector of an entry, of whatever model. */
  vector(id: string): Float32Array | undefined {
    const space = this.catalog.get(id)?.space;
    return space ? this.vectors.vector(id, space) : undefined;
  }

  /** Changes with every change to the owner's entries: results computed for an earlier value may be stale. */
  generation(owner: string | null): number {
    return this.#generations.get(owner) ?? 0;
  }

  close(): Promise<void> {
    return this.vectors.close();
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
    this.vectors.delete(id, known);
    this.catalog.delete(id);
    this.members.delete(id);
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
    ...validityOf(entry),
    archived: entry.archived,
  };
}
