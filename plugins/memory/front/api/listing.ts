/** The list of entries: filters, pages and counts; `q` searches the keyword index, as retrieval does. */
import { decodeCursor, encodeCursor, type Clock } from 'plugboard/sdk';
import type { EntryFilter, Hit } from '../../engine/base/attributes.js';
import type { Entries } from '../../engine/entries/entries.js';
import type { ListPlace } from '../../engine/entries/reads.js';
import { storedForms, type ListFilter } from '../../engine/entries/list-filter.js';
import { pageOf, pagesOf } from './paging.js';
import { errors } from '../../engine/base/errors.js';
import { newest, type CatalogFilter, type Facts } from '../../engine/live/catalog.js';
import type { LiveIndex } from '../../engine/live/live-index.js';
import type { Readiness } from '../../engine/live/readiness.js';
import type { EntryPage, ListQuery } from '../schema/entries.js';
import { instantOf } from './instant.js';
import { present } from './present.js';
import type { Retrieval } from '../../engine/retrieval/retrieval.js';

export interface ListingParts {
  readonly entries: Entries;
  readonly index: LiveIndex;
  readonly retrieval: Retrieval;
  readonly clock: Clock;
  readonly readiness: Readiness;
}

export class Listing {
  readonly #parts: ListingParts;

  constructor(parts: ListingParts) {
    this.#parts = parts;
  }

  /** Newest first; with `q` best match first. */
  async page(query: ListQuery): Promise<EntryPage> {
    await this.#parts.readiness.soon();
    const { hits, misses } = this.#parts.retrieval.cacheCounts;
    const { page, limit } = pageOf(query);
    const { entries, count, tokens, more } = query.q?.trim()
      ? await this.#matching(query)
      : await this.#all(query);
    const lookups = hits + misses;
    const last = more ? entries.at(-1) : undefined;
    return {
      data: entries.map(present),
      total: count,
      totalPages: pagesOf(count, limit),
      page,
      limit,
      nextCursor: last === undefined ? null : encodeCursor([last.createdAt.getTime(), last._id]),
      stats: {
        total: count,
        tokensUsed: tokens,
        hitRate: lookups === 0 ? 0 : hits / lookups,
        cacheStats: { hits, misses },
      },
    };
  }

  async #all(query: ListQuery) {
    const { skip, limit } = pageOf(query);
    const filter = listFilterOf(query);
    const having = this.#having(query, filter);
    if (having !== undefined) return this.#ofThese(having, query);
    // One extra entry shows whether there is a next page.
    const found =
      query.cursor === undefined
        ? await this.#parts.entries.list(filter, { skip, limit: limit + 1 })
        : await this.#parts.entries.after(placeOf(query.cursor), filter, limit + 1);
    const sums =
      filter.metadata === undefined
        ? this.#parts.index.catalog.sums(catalogFilterOf(query), this.#parts.clock.now())
        : await this.#parts.entries.sums(filter);
    return { entries: found.slice(0, limit), more: found.length > limit, ...sums };
  }

  /** The entries that match a metadata filter; undefined: no filter, or only the storage can tell. */
  #having(query: ListQuery, { metadata }: ListFilter): Facts[] | undefined {
    if (metadata === undefined) return undefined;
    const { catalog, members } = this.#parts.index;
    const filter = catalogFilterOf(query);
    const conditions = Object.entries(metadata).map(([name, text]) => storedForms(name, text));
    const { ids, doubtful } = members.having(filter.owner, conditions);
    return doubtful.size > 0 ? undefined : catalog.amongst(ids, filter, this.#parts.clock.now());
  }

  async #ofThese(all: readonly Facts[], query: ListQuery) {
    const { skip, limit } = pageOf(query);
    const place = query.cursor === undefined ? undefined : placeOf(query.cursor);
    const wanted = place === undefined ? all : all.filter((facts) => isBehind(facts, place));
    const from = place === undefined ? skip : 0;
    const page = newest(wanted, Math.min(wanted.length, from + limit)).slice(from);
    return {
      entries: await this.#parts.entries.byIds(page.map(({ id }) => id)),
      more: wanted.length > from + limit,
      count: all.length,
      tokens: all.reduce((sum, facts) => sum + facts.tokens, 0),
    };
  }

  async #matching(query: ListQuery) {
    if (query.cursor !== undefined) throw errors.invalid_cursor({ param: 'cursor' });
    const { skip, limit } = pageOf(query);
    const { owner, type, session, user, asOf } = catalogFilterOf(query);
    const filter: EntryFilter = {
      ...(asOf === undefined ? {} : { asOf }),
      ...(type === undefined ? {} : { type }),
      ...(session === undefined ? {} : { session }),
    };
    const { keyword, catalog } = this.#parts.index;
    const text = query.q ?? '';
    const listFilter = listFilterOf(query);
    let count = 0;
    let tokens = 0;
    const passes = (id: string): boolean => {
      const facts = catalog.get(id);
      if (user !== undefined && facts?.user !== user) return false;
      count += 1;
      tokens += facts?.tokens ?? 0;
      return true;
    };
    // Only the hits up to the page are sorted, unless the storage must decide which match.
    const search = { filter, passes, limit: listFilter.metadata === undefined ? skip + limit : Infinity };
    const found =
      owner === undefined
        ? keyword.searchEveryPool(text, search)
        : keyword.search(text, { ...search, owner });
    const hits = await this.#withMetadata(found, listFilter);
    if (listFilter.metadata !== undefined) {
      count = hits.length;
      tokens = hits.reduce((sum, { id }) => sum + (catalog.get(id)?.tokens ?? 0), 0);
    }
    const entries = await this.#parts.entries.byIds(hits.slice(skip, skip + limit).map(({ id }) => id));
    return { entries, count, tokens, more: false };
  }

  async #withMetadata(hits: readonly Hit[], filter: ListFilter): Promise<readonly Hit[]> {
    if (filter.metadata === undefined) return hits;
    const passing = await this.#parts.entries.among(
      hits.map(({ id }) => id),
      filter,
    );
    return hits.filter(({ id }) => passing.has(id));
  }
}

const METADATA = 'metadata.';

function isBehind({ createdAt, id }: Facts, place: ListPlace): boolean {
  const at = place.at.getTime();
  return createdAt < at || (createdAt === at && id > place.id);
}

function listFilterOf(query: ListQuery): ListFilter {
  const { apiKeyId, userId, type, sessionId, asOf } = query;
  const metadata = Object.entries(query as Record<string, unknown>).flatMap(([name, value]) =>
    name.startsWith(METADATA) ? [[name.slice(METADATA.length), String(value)]] : [],
  );
  return {
    apiKeyId,
    userId,
    type,
    sessionId,
    asOf: instantOf(asOf),
    metadata: metadata.length === 0 ? undefined : (Object.fromEntries(metadata) as Record<string, string>),
  };
}

function catalogFilterOf({ apiKeyId, userId, type, sessionId, asOf }: ListQuery): CatalogFilter {
  const at = instantOf(asOf);
  return {
    ...(at === undefined ? {} : { asOf: at }),
    ...(apiKeyId ? { owner: apiKeyId } : {}),
    ...(userId ? { user: userId } : {}),
    ...(type === undefined ? {} : { type }),
    ...(sessionId ? { session: sessionId } : {}),
  };
}

function placeOf(cursor: string): ListPlace {
  const place = decodeCursor(cursor);
  const [at, id] = Array.isArray(place) ? (place as unknown[]) : [];
  const isPlace = Number.isSafeInteger(at) && Math.abs(at as number) <= 8.64e15 && typeof id === 'string';
  if (!isPlace) throw errors.invalid_cursor({ param: 'cursor' });
  return { at: new Date(at as number), id };
}
