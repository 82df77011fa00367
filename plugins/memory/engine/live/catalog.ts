/** In-memory facts about the live entries that need no storage query: owners, tokens, pending vectors. */
import type { EntryDocument } from '../entries/document.js';
import { holdsAt, validityOf } from '../entries/validity.js';
import type { EntryType } from '../base/schema.js';
import { TopK } from '../base/top-k.js';

export interface Facts {
  readonly id: string;
  readonly owner: string | null;
  readonly type: EntryType;
  readonly session: string | null;
  readonly user: string | null;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** Milliseconds since the epoch; Infinity: never. */
  readonly expiresAt: number;
  readonly validFrom: number;
  readonly validUntil: number;
  readonly tokens: number;
  /** Of key and content. */
  readonly characters: number;
  readonly revision: number;
  readonly contentVersion: number;
  readonly key: string;
  readonly needsReindex: 0 | 1;
  /** Null without a vector. */
  readonly space: string | null;
}

export interface CatalogFilter {
  /** Absent: all owners. */
  readonly owner?: string | null;
  readonly type?: EntryType;
  readonly session?: string;
  /** Only entries of this end user. */
  readonly user?: string;
  /** Entries valid at this instant, milliseconds. Default: now. */
  readonly asOf?: number;
}

interface Sums {
  count: number;
  tokens: number;
}

/** The entries of one owner, or all: sums are maintained, so that a list page does not walk them. */
class Pool {
  readonly entries = new Map<string, Facts>();
  /** Entries that expire or have limited validity: their contribution depends on the time. */
  readonly #expiring = new Map<string, Facts>();
  readonly #lasting: Sums = { count: 0, tokens: 0 };
  /** Of all entries, including ended and expired ones. */
  characters = 0;

  add(facts: Facts): void {
    this.entries.set(facts.id, facts);
    this.#account(facts, 1);
  }

  delete(facts: Facts): void {
    this.entries.delete(facts.id);
    this.#account(facts, -1);
  }

  sums(now: number): Sums {
    let { count, tokens } = this.#lasting;
    for (const facts of this.#expiring.values()) {
      if (facts.expiresAt <= now || !holdsAt(facts, now)) continue;
      count += 1;
      tokens += facts.tokens;
    }
    return { count, tokens };
  }

  #account(facts: Facts, step: 1 | -1): void {
    this.characters += step * facts.characters;
    if (facts.expiresAt === Infinity && facts.validUntil === Infinity && facts.validFrom <= facts.createdAt) {
      this.#lasting.count += step;
      this.#lasting.tokens += step * facts.tokens;
    } else if (step === 1) this.#expiring.set(facts.id, facts);
    else this.#expiring.delete(facts.id);
  }
}

export class Catalog {
  readonly #all = new Pool();
  readonly #byOwner = new Map<string | null, Pool>();
  /** Number of entries per space that wait for no vector. */
  readonly #settled = new Map<string | null, number>();

  get(id: string): Facts | undefined {
    return this.#all.entries.get(id);
  }

  /** Characters of an owner's entries. */
  charactersOf(owner: string): number {
    return this.#byOwner.get(owner)?.characters ?? 0;
  }

  ids(): IterableIterator<string> {
    return this.#all.entries.keys();
  }

  get size(): number {
    return this.#all.entries.size;
  }

  set(facts: Facts): void {
    this.delete(facts.id);
    this.#all.add(facts);
    const pool = this.#byOwner.get(facts.owner) ?? new Pool();
    pool.add(facts);
    this.#byOwner.set(facts.owner, pool);
    this.#count(facts, 1);
  }

  delete(id: string): void {
    const facts = this.get(id);
    if (facts === undefined) return;
    this.#all.delete(facts);
    const pool = this.#byOwner.get(facts.owner);
    pool?.delete(facts);
    if (pool?.entries.size === 0) this.#byOwner.delete(facts.owner);
    this.#count(facts, -1);
  }

  /** Spaces of the entries that wait for no vector, including expired ones; null: entries without a vector. */
  settledSpaces(): IterableIterator<string | null> {
    return this.#settled.keys();
  }

  /** The entries that match the filter at the instant `now`. */
  *matching(filter: CatalogFilter, now: number): Generator<Facts> {
    for (const facts of this.#pool(filter.owner)?.entries.values() ?? [])
      if (passes(facts, filter, now)) yield facts;
  }

  /** Those of the given entries that match, in no order. */
  amongst(ids: Iterable<string>, filter: CatalogFilter, now: number): Facts[] {
    const found: Facts[] = [];
    for (const id of ids) {
      const facts = this.get(id);
      if (facts !== undefined && passes(facts, filter, now)) found.push(facts);
    }
    return found;
  }

  sums(filter: CatalogFilter, now: number): { count: number; tokens: number } {
    const { type, session, user, asOf } = filter;
    if (type === undefined && session === undefined && user === undefined && asOf === undefined) {
      return this.#pool(filter.owner)?.sums(now) ?? { count: 0, tokens: 0 };
    }
    let count = 0;
    let tokens = 0;
    for (const facts of this.matching(filter, now)) {
      count += 1;
      tokens += facts.tokens;
    }
    return { count, tokens };
  }

  /** How many have a vector, and how many wait for their first or a new one. */
  vectorCounts(filter: CatalogFilter, now: number): { rows: number; needsReindex: number } {
    let rows = 0;
    let needsReindex = 0;
    for (const facts of this.matching(filter, now)) {
      if (facts.space !== null) rows += 1;
      needsReindex += facts.needsReindex;
    }
    return { rows, needsReindex };
  }

  #pool(owner: string | null | undefined): Pool | undefined {
    return owner === undefined ? this.#all : this.#byOwner.get(owner);
  }

  #count({ space, needsReindex }: Facts, step: 1 | -1): void {
    if (needsReindex === 1) return;
    const count = (this.#settled.get(space) ?? 0) + step;
    if (count === 0) this.#settled.delete(space);
    else this.#settled.set(space, count);
  }
}

function passes(facts: Facts, { owner, type, session, user, asOf }: CatalogFilter, now: number): boolean {
  return (
    facts.expiresAt > now &&
    holdsAt(facts, asOf ?? now) &&
    (owner === undefined || facts.owner === owner) &&
    (type === undefined || facts.type === type) &&
    (session === undefined || facts.session === session) &&
    (user === undefined || facts.user === user)
  );
}

export function factsOf(entry: EntryDocument): Facts {
  return {
    id: entry._id,
    owner: entry.apiKeyId,
    type: entry.type,
    session: entry.sessionId,
    user: entry.userId ?? null,
    createdAt: entry.createdAt.getTime(),
    expiresAt: entry.expiresAt?.getTime() ?? Infinity,
    ...validityOf(entry),
    tokens: entry.tokens,
    characters: entry.key.length + entry.content.length,
    revision: entry.revision,
    contentVersion: entry.contentVersion,
    key: entry.key,
    needsReindex: entry.needsReindex,
    space:
      entry.vectorModel === null || entry.vector === null
        ? null
        : spaceOf(entry.vectorModel, entry.vector.byteLength / 4),
  };
}

/** Vectors are comparable within a space: one model and one number of dimensions. */
export function spaceOf(model: string, dimensions: number): string {
  return `${model}@${dimensions}`;
}

/** The first `limit` in list order: newest first, entries of one instant by id. The rest is not sorted. */
export function newest(all: readonly Facts[], limit: number): Facts[] {
  const best = new TopK(limit, (a, b) => all[a]!.id < all[b]!.id);
  for (const [at, { createdAt }] of all.entries()) best.offer(at, createdAt);
  return best.ranked().map(({ row }) => all[row]!);
}
