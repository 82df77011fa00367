/**
 * The single implementation of retrieval: preview and chat run the same code. Ranks by words and vectors, fuses,
 * reranks, fits the budget, then reads the selected entries from the storage. The resolution reports what actually
 * happened.
 */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Models } from 'plugboard/sdk';
import type { EntryDocument } from '../entries/document.js';
import type { Entries } from '../entries/entries.js';
import { validityOf } from '../entries/validity.js';
import { storedForms } from '../entries/list-filter.js';
import { currentFirst } from '../current/order.js';
import { relevanceOf } from '../ranking/relevance.js';
import { withinBudget } from '../ranking/budget.js';
import type { Hit } from '../base/attributes.js';
import type { Catalog, Facts } from '../live/catalog.js';
import type { Readiness } from '../live/readiness.js';
import type { Settings } from '../settings/settings.js';
import { explain, type Explained, type Found } from './explain.js';
import { isFor, type FoundMemory, type Question, type Resolution, type Tier } from './question.js';
import { rank, type Ranking, type RankingParts } from './rank.js';
import type { Retrieved } from './retrieved.js';
import { rerank } from './rerank.js';
import { wantedStore, type WantedStore } from './vector-stage.js';

export interface RetrievalParts extends RankingParts {
  readonly entries: Entries;
  readonly settings: { read(): Promise<Settings> };
  readonly models: Models | undefined;
  readonly readiness: Readiness;
  /** Milliseconds for a rerank. */
  readonly timeout: number;
}

const CACHED_SELECTIONS = 500;
const LONGEST_KEPT_MS = 60_000;

/** The selected part of a ranking. Contents are read from the storage for each answer. */
interface Selection {
  readonly hits: readonly SelectedHit[];
  readonly tier: Tier;
  readonly resolution: Resolution;
}

type SelectedHit = Pick<FoundMemory, 'id' | 'score' | 'relevance' | 'vecScore' | 'ftsScore'>;

interface CachedSelection {
  readonly selection: Selection;
  /** Of the owner's entries at the time of selection. */
  readonly generation: number;
  /** When the first of its entries expires or ends, bounded because an entry may become valid meanwhile. */
  readonly until: number;
}

export class Retrieval {
  readonly #parts: RetrievalParts;
  readonly #cache = new LRUCache<string, CachedSelection>({ max: CACHED_SELECTIONS });
  readonly #counts = { hits: 0, misses: 0 };

  constructor(parts: RetrievalParts) {
    this.#parts = parts;
  }

  get cacheCounts(): { hits: number; misses: number } {
    return { ...this.#counts };
  }

  /** `settings`: already read by the caller. */
  async retrieve(asked: Question, settings?: Settings): Promise<Retrieved> {
    const question = await this.#resolved(asked);
    return this.#answer(await this.#selection(question, settings), question);
  }

  /** Like `retrieve`, and for each id why it is not in the answer. `mayRead`: whether the caller may see the entry. */
  async explain(
    asked: Question,
    ids: readonly string[],
    mayRead: (entry: EntryDocument) => boolean,
  ): Promise<Retrieved & { explained: Explained[] }> {
    const question = await this.#resolved(asked);
    const settings = await this.#parts.settings.read();
    const ranking = await this.#ranking(question, settings, await this.#storeFor(question, settings));
    const selection = this.#select(ranking, question);
    const answer = await this.#answer(selection, question);
    const { entries, index, clock } = this.#parts;
    const stored = new Map((await entries.stored(ids)).map((entry) => [entry._id, entry]));
    const found: Found = {
      question,
      ranking,
      ranked: this.#within(ranking, question).hits,
      taken: new Set(selection.hits.map(({ id }) => id)),
      recalled: new Set(answer.memories.map(({ id }) => id)),
      isIndexed: (id) => index.catalog.get(id) !== undefined,
      relevance: relevanceIn(ranking),
      now: clock.now(),
    };
    const explained = ids.map((id) => {
      const entry = stored.get(id);
      return explain(id, entry !== undefined && mayRead(entry) ? entry : undefined, found);
    });
    return { ...answer, explained };
  }

  async #resolved(asked: Question): Promise<Question> {
    const { owner, metadata } = asked;
    await this.#parts.readiness.soon();
    return metadata === undefined ? asked : { ...asked, among: await this.#having(owner, metadata) };
  }

  async #having(
    owner: string | null,
    metadata: Readonly<Record<string, string>>,
  ): Promise<ReadonlySet<string>> {
    const { entries, index } = this.#parts;
    const conditions = Object.entries(metadata).map(([name, text]) => storedForms(name, text));
    const { ids, doubtful } = index.members.having(owner, conditions);
    if (doubtful.size === 0) return ids;
    return new Set([...ids, ...(await entries.among([...doubtful], { metadata }))]);
  }

  /** Recent selections are cached, unless an external store is used: changes of its points are not visible here. */
  async #selection(question: Question, known?: Settings): Promise<Selection> {
    const settings = known ?? (await this.#parts.settings.read());
    const store = await this.#storeFor(question, settings);
    const { index, clock } = this.#parts;
    const key = cacheKey(question, settings);
    const generation = index.generation(question.owner);
    const now = clock.now();
    const cached = this.#cache.get(key);
    if (store === 'local' && cached?.generation === generation && cached.until > now) {
      this.#counts.hits += 1;
      return cached.selection;
    }
    this.#counts.misses += 1;

    const selection = this.#select(await this.#ranking(question, settings, store), question);
    // A failure is not cached: the next attempt may succeed.
    if (store === 'local' && selection.resolution.fallbackReason === null) {
      const ends = selection.hits.map(({ id }) => endOf(index.catalog.get(id)));
      this.#cache.set(key, { selection, generation, until: Math.min(now + LONGEST_KEPT_MS, ...ends) });
    }
    return selection;
  }

  async #storeFor({ strategy }: Question, settings: Settings): Promise<WantedStore> {
    return strategy === 'exact' ? 'local' : wantedStore(this.#parts.external, settings);
  }

  async #ranking(question: Question, settings: Settings, store: WantedStore): Promise<Ranking> {
    return this.#rerank(await rank(this.#parts, question, settings, store), question, settings);
  }

  /** A neighbour of a hit may belong to someone else. */
  #within(ranking: Ranking, question: Question): Ranking {
    const { index, clock } = this.#parts;
    const now = clock.now();
    return {
      ...ranking,
      hits: ranking.hits.filter(({ id }) => isFor(question, index.catalog.get(id), now)),
    };
  }

  async #rerank(ranking: Ranking, question: Question, settings: Settings): Promise<Ranking> {
    if (!settings.rerankEnabled) return ranking;
    const { hits } = this.#within(ranking, question);
    if (hits.length === 0) return ranking;
    const { entries, models, timeout, embeddings } = this.#parts;
    const outcome = await rerank({
      hits,
      question,
      model: settings.rerankProviderModel,
      models,
      outcomes: embeddings.outcomes,
      timeout,
      read: (ids) => entries.byIds(ids),
    });
    const { resolution } = ranking;
    const fallbackReason = resolution.fallbackReason ?? outcome.reason;
    return {
      ...ranking,
      hits: outcome.hits,
      resolution: { ...resolution, rerankApplied: outcome.applied, fallbackReason },
    };
  }

  #select(ranking: Ranking, question: Question): Selection {
    const { hits, words, cosines, tier, resolution } = ranking;
    const {
      index: { catalog },
      clock,
    } = this.#parts;
    const { minScore = 0, maxTokens, limit } = question;
    const relevance = relevanceIn(ranking);
    const fit = minScore > 0 ? hits.filter(({ id }) => relevance(id) >= minScore) : hits;
    const chosen = withinBudget(pricedFor(question, fit, catalog, clock.now()), maxTokens, limit).kept;
    const selected = chosen.map(({ id, score }) => {
      const [vecScore, ftsScore] = [cosines.get(id) ?? null, words.get(id) ?? null];
      return { id, score, relevance: relevance(id), vecScore, ftsScore };
    });
    return { hits: selected, tier, resolution };
  }

  async #answer({ hits, tier, resolution }: Selection, question: Question): Promise<Retrieved> {
    const byId = new Map(hits.map((hit) => [hit.id, hit]));
    const stored = await this.#parts.entries.byIds([...byId.keys()]);
    const found = stored.filter((entry) => isFor(question, belongingOf(entry), this.#parts.clock.now()));
    // Another instance may have written meanwhile.
    const { kept, tokens } = withinBudget(found, question.maxTokens);
    const told = kept.flatMap((entry) => {
      const hit = byId.get(entry._id);
      return hit === undefined ? [] : [toldBy(entry, hit)];
    });
    const placed = currentFirst(question.strategy === 'exact' ? '' : question.query, told);
    const memories = placed.map(({ told: { entry, hit }, score, outdatedBy }) =>
      memoryOf(entry, { ...hit, score }, tier, outdatedBy),
    );
    return { memories, resolution, totalTokensUsed: tokens, budgetMaxTokens: question.maxTokens };
  }
}

function relevanceIn({ words, cosines, possible, spread }: Ranking): (id: string) => number {
  return (id) =>
    relevanceOf({ words: words.get(id) ?? null, possible, cosine: cosines.get(id) ?? null, spread });
}

function endOf(facts: Facts | undefined): number {
  return facts === undefined ? 0 : Math.min(facts.expiresAt, facts.validUntil);
}

/** The hits that match a question, with their tokens; lazily, since only a few are selected. */
function* pricedFor(
  question: Question,
  hits: readonly Hit[],
  catalog: Pick<Catalog, 'get'>,
  now: number,
): Generator<Hit & { tokens: number }> {
  for (const hit of hits) {
    const facts = catalog.get(hit.id);
    if (isFor(question, facts, now)) yield { ...hit, tokens: facts.tokens };
  }
}

function belongingOf(entry: EntryDocument) {
  const { _id: id, apiKeyId: owner, userId: user = null, sessionId: session, type } = entry;
  return { id, owner, user, session, type, ...validityOf(entry) };
}

function toldBy(entry: EntryDocument, hit: SelectedHit) {
  const { _id: id, content, createdAt, validFrom } = entry;
  return { id, content, score: hit.score, since: (validFrom ?? createdAt).getTime(), entry, hit };
}

function memoryOf(
  entry: EntryDocument,
  { score, relevance, vecScore, ftsScore }: SelectedHit,
  tier: Tier,
  outdatedBy: string | null,
): FoundMemory {
  const { _id: id, type, key, content, tokens } = entry;
  return { id, type, key, content, score, relevance, tokens, tier, vecScore, ftsScore, outdatedBy };
}

/** A digest: a query may be long. */
function cacheKey(
  { caller: _caller, signal: _signal, among: _among, ...asked }: Question,
  settings: Settings,
): string {
  return createHash('sha256')
    .update(JSON.stringify([Object.entries(asked).sort(), asked.user === undefined, Object.values(settings)]))
    .digest('base64');
}
