/** The list of entries: filters, pages and counts; `q` asks the keyword index, as retrieval does. */
import type { Clock } from 'plugboard/sdk';
import type { EntryFilter } from '../attributes.js';
import { present } from '../entries/document.js';
import type { Entries } from '../entries/entries.js';
import { pageOf, pagesOf } from '../entries/paging.js';
import type { CatalogFilter } from '../live/catalog.js';
import type { LiveIndex } from '../live/live-index.js';
import type { EntryPage, ListQuery } from '../schema/entries.js';
import type { Retrieval } from './retrieval.js';

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
    const { entries, count, tokens } = query.q?.trim() ? await this.#matching(query) : await this.#all(query);
    const lookups = hits + misses;
    return {
      data: entries.map(present),
      total: count,
      totalPages: pagesOf(count, limit),
      page,
      limit,
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
    const filter = filterOf(query);
    const entries = await this.#entries.list(query, { skip, limit });
    return { entries, ...this.#index.catalog.sums(filter, this.#clock.now()) };
  }

  async #matching(query: ListQuery) {
    const { skip, limit } = pageOf(query);
    const { owner, type, session } = filterOf(query);
    const filter: EntryFilter = {
      ...(type === undefined ? {} : { type }),
      ...(session === undefined ? {} : { session }),
    };
    const search = { filter, limit: Infinity };
    const { keyword, catalog } = this.#index;
    const text = query.q ?? '';
    const hits =
      owner === undefined
        ? keyword.searchEveryPool(text, search)
        : keyword.search(text, { ...search, owner });
    const tokens = hits.reduce((sum, { id }) => sum + (catalog.get(id)?.tokens ?? 0), 0);
    const entries = await this.#entries.byIds(hits.slice(skip, skip + limit).map(({ id }) => id));
    return { entries, count: hits.length, tokens };
  }
}

function filterOf({ apiKeyId, type, sessionId }: ListQuery): CatalogFilter {
  return {
    ...(apiKeyId ? { owner: apiKeyId } : {}),
    ...(type === undefined ? {} : { type }),
    ...(sessionId ? { session: sessionId } : {}),
  };
}
