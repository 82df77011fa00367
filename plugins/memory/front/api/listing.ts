/** The list of entries: filters, pages and counts; `q` asks the keyword index, as retrieval does. */
import { decodeCursor, encodeCursor, type Clock } from 'plugboard/sdk';
import type { EntryFilter, Hit } from '../../engine/base/attributes.js';
import type { Entries } from '../../engine/entries/entries.js';
import type { ListPlace } from '../../engine/entries/reads.js';
import { storedForms, type ListFilter } from '../../engine/entries/list-filter.js';
import { pageOf, pagesOf } from './paging.js';
import { errors } from '../../engine/base/errors.js';
import type { CatalogFilter, Facts } from '../../engine/live/catalog.js';
import type { LiveIndex } from '../../engine/live/live-index.js';
import type { EntryPage, ListQuery } from '../schema/entries.js';
import { present } from './present.js';
import type { Retrieval } from '../../engine/retrieval/retrieval.js';

export class Listing {
  readonly #entries: Entries;
  readonly #index: LiveIndex;
  readonly #retrieval: Retrieval;
  readonly #clock: Clock;

  constructor(entries: Entries, index: LiveIndex, retrieval: Retrieval, clock: Clock) {
    this.#entries = entries;
    this.#index = index;
    this.#retrieval = retrieval;
    this.#clock = clock;
  }

  /** Newest first; with `q` the best match first. */
  async page(query: ListQuery): Promise<EntryPage> {
    const { hits, misses } = this.#retrieval.cacheCounts;
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
    const few = this.#few(query, filter);
    if (few !== undefined) return this.#ofFew(few, query);
    // One more than asked for tells whether there is a next page.
    const found =
      query.cursor === undefined
        ? await this.#entries.list(filter, { skip, limit: limit + 1 })
        : await this.#entries.after(placeOf(query.cursor), filter, limit + 1);
    const sums =
      filter.metadata === undefined
        ? this.#index.catalog.sums(catalogFilterOf(query), this.#clock.now())
        : await this.#entries.sums(filter);
    return { entries: found.slice(0, limit), more: found.length > limit, ...sums };
  }

  /** What a filter by metadata lets through, newest first; undefined: there is none, or it lets through more than a few. */
  #few(query: ListQuery, { metadata }: ListFilter): Facts[] | undefined {
    if (metadata === undefined) return undefined;
    const { catalog, members } = this.#index;
    const filter = catalogFilterOf(query);
    const conditions = Object.entries(metadata).map(([name, text]) => storedForms(name, text));
    const { ids, doubtful } = members.having(filter.owner, conditions);
    if (doubtful.size > 0 || ids.size > FEW) return undefined;
    return catalog.newestOf(ids, filter, this.#clock.now());
  }

  async #ofFew(few: readonly Facts[], query: ListQuery) {
    const { skip, limit } = pageOf(query);
    const place = query.cursor === undefined ? undefined : placeOf(query.cursor);
    const behind = place === undefined ? few.slice(skip) : few.filter((facts) => isBehind(facts, place));
    return {
      entries: await this.#entries.byIds(behind.slice(0, limit).map(({ id }) => id)),
      more: behind.length > limit,
      count: few.length,
      tokens: few.reduce((sum, facts) => sum + facts.tokens, 0),
    };
  }

  async #matching(query: ListQuery) {
    if (query.cursor !== undefined) throw errors.invalid_cursor({ param: 'cursor' });
    const { skip, limit } = pageOf(query);
    const { owner, type, session, user } = catalogFilterOf(query);
    const filter: EntryFilter = {
      ...(type === undefined ? {} : { type }),
      ...(session === undefined ? {} : { session }),
    };
    const { keyword, catalog } = this.#index;
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
    // Of many that are found only those up to the page are put in order, unless the storage must say which pass.
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
    const entries = await this.#entries.byIds(hits.slice(skip, skip + limit).map(({ id }) => id));
    return { entries, count, tokens, more: false };
  }

  async #withMetadata(hits: readonly Hit[], filter: ListFilter): Promise<readonly Hit[]> {
    if (filter.metadata === undefined) return hits;
    const passing = await this.#entries.among(
      hits.map(({ id }) => id),
      filter,
    );
    return hits.filter(({ id }) => passing.has(id));
  }
}

const METADATA = 'metadata.';

/** Entries that a filter by metadata lets through, whose order is found without the storage. */
const FEW = 1_000;

function isBehind({ createdAt, id }: Facts, place: ListPlace): boolean {
  const at = place.at.getTime();
  return createdAt < at || (createdAt === at && id > place.id);
}

function listFilterOf(query: ListQuery): ListFilter {
  const { apiKeyId, userId, type, sessionId } = query;
  const metadata = Object.entries(query as Record<string, unknown>).flatMap(([name, value]) =>
    name.startsWith(METADATA) ? [[name.slice(METADATA.length), String(value)]] : [],
  );
  return {
    apiKeyId,
    userId,
    type,
    sessionId,
    metadata: metadata.length === 0 ? undefined : (Object.fromEntries(metadata) as Record<string, string>),
  };
}

function catalogFilterOf({ apiKeyId, userId, type, sessionId }: ListQuery): CatalogFilter {
  return {
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
