/**
 * The one way in which memories are found: the preview runs the very code that the chat does. Rank by words and
 * vectors, fuse, rerank, fit the budget, then read what is left from the storage. What the resolution tells is
 * what happened.
 */
import type { Clock, Models } from 'plugboard/sdk';
import type { Hit } from '../attributes.js';
import type { EntryDocument } from '../entries/document.js';
import type { Entries } from '../entries/entries.js';
import { withinBudget } from '../ranking/budget.js';
import { fuse } from '../ranking/fusion.js';
import { smooth } from '../ranking/neighbours.js';
import type { Strategy } from '../schema/common.js';
import type { Settings } from '../schema/settings.js';
import { Lru } from './lru.js';
import type { FoundMemory, Question, Resolution, Retrieved, Tier } from './question.js';
import { rerank } from './rerank.js';
import { searchVectors, type VectorParts, type VectorStage } from './vector-stage.js';

export interface RetrievalParts extends VectorParts {
  readonly entries: Entries;
  readonly settings: { read(): Promise<Settings> };
  readonly models: Models | undefined;
  readonly clock: Clock;
  /** Turns of one session lend their score to those beside them. */
  readonly neighbours: boolean;
  /** The share of the words in a hybrid ranking, 0 to 1; undefined: by the embedding's worth. */
  readonly keywordWeight: number | undefined;
  /** Milliseconds for a rerank. */
  readonly timeout: number;
}

/** How deep each ranking goes before they are fused and cut. */
const DEPTH = 100;
const CACHED_ANSWERS = 500;

interface Ranking {
  readonly hits: readonly Hit[];
  readonly words: ReadonlyMap<string, number>;
  readonly cosines: ReadonlyMap<string, number>;
  readonly tier: Tier;
  readonly resolution: Resolution;
}

interface CachedAnswer {
  readonly answer: Retrieved;
  readonly generation: number;
  /** When the first of its entries expires. */
  readonly until: number;
}

export class Retrieval {
  readonly #parts: RetrievalParts;
  readonly #cache = new Lru<CachedAnswer>(CACHED_ANSWERS);

  constructor(parts: RetrievalParts) {
    this.#parts = parts;
  }

  get cacheCounts(): { hits: number; misses: number } {
    return this.#cache.counts;
  }

  async retrieve(question: Question): Promise<Retrieved> {
    const { settings: stored, index, clock } = this.#parts;
    const settings = await stored.read();
    const key = cacheKey(question, settings);
    const generation = index.generation(question.owner);
    const now = clock.now();
    const cached = this.#cache.get(key, (held) => held.generation === generation && held.until > now);
    if (cached !== undefined) return cached.answer;

    const ranking = await this.#rank(question, settings);
    const reranked = await this.#rerank(ranking, question, settings);
    const answer = await this.#answer(reranked, question);
    if (isLasting(answer.resolution)) {
      const ids = answer.memories.map(({ id }) => id);
      const until = Math.min(Infinity, ...ids.map((id) => index.catalog.get(id)?.expiresAt ?? 0));
      this.#cache.set(key, { answer, generation, until });
    }
    return answer;
  }

  async #rank(question: Question, settings: Settings): Promise<Ranking> {
    if (question.strategy === 'exact') return this.#byWords(question, null);
    const vectors = await searchVectors(this.#parts, question, settings, this.#depth(question));
    if (vectors.store === 'none') return this.#byWords(question, vectors);
    return question.strategy === 'semantic' ? this.#byVectors(vectors) : this.#byBoth(question, vectors);
  }

  /** What `exact` asks for, and what every other strategy falls back to. */
  #byWords(question: Question, vectors: VectorStage | null): Ranking {
    const hits = this.#wordHits(question);
    return {
      hits,
      words: scores(hits),
      cosines: new Map(),
      tier: 'fts5',
      resolution: resolutionOf('exact', vectors),
    };
  }

  #byVectors(vectors: VectorStage): Ranking {
    return {
      hits: this.#smooth(vectors.hits),
      words: new Map(),
      cosines: scores(vectors.hits),
      tier: vectors.store === 'external' ? 'external' : 'vector',
      resolution: resolutionOf('semantic', vectors),
    };
  }

  #byBoth(question: Question, vectors: VectorStage): Ranking {
    const words = this.#wordHits(question);
    const share = this.#parts.keywordWeight ?? wordShare(vectors);
    const hits = fuse([
      { hits: this.#smooth(words), weight: share },
      { hits: this.#smooth(vectors.hits), weight: 1 - share },
    ]);
    return {
      hits,
      words: scores(words),
      cosines: scores(vectors.hits),
      tier: 'hybrid-rrf',
      resolution: resolutionOf('hybrid', vectors),
    };
  }

  #wordHits(question: Question): Hit[] {
    const { query, owner, session } = question;
    const filter = session === undefined ? {} : { filter: { session } };
    return this.#parts.index.keyword.search(query, { owner, limit: this.#depth(question), ...filter });
  }

  #smooth(hits: readonly Hit[]): readonly Hit[] {
    const { neighbours, index } = this.#parts;
    return neighbours ? smooth(hits, (id) => index.sessions.neighbours(id)) : hits;
  }

  #depth({ limit }: Question): number {
    return Math.max(DEPTH, limit);
  }

  async #rerank(ranking: Ranking, question: Question, settings: Settings): Promise<Ranking> {
    if (!settings.rerankEnabled || ranking.hits.length === 0) return ranking;
    const { entries, models, timeout, embeddings } = this.#parts;
    const outcome = await rerank({
      hits: ranking.hits,
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

  async #answer({ hits, words, cosines, tier, resolution }: Ranking, question: Question): Promise<Retrieved> {
    const { entries, index } = this.#parts;
    const priced = hits.flatMap((hit) => {
      const facts = index.catalog.get(hit.id);
      return facts?.owner === question.owner ? [{ ...hit, tokens: facts.tokens }] : [];
    });
    const chosen = withinBudget(priced, question.maxTokens).kept.slice(0, question.limit);
    const found = await entries.byIds(chosen.map(({ id }) => id));
    const byId = new Map(chosen.map((hit) => [hit.id, hit]));
    // Read again, in case another instance has written in between.
    const { kept, tokens } = withinBudget(found, question.maxTokens);
    const memories = kept.map((entry) =>
      memoryOf(entry, byId.get(entry._id)?.score ?? 0, tier, words, cosines),
    );
    return { memories, resolution, totalTokensUsed: tokens, budgetMaxTokens: question.maxTokens };
  }
}

function memoryOf(
  entry: EntryDocument,
  score: number,
  tier: Tier,
  words: ReadonlyMap<string, number>,
  cosines: ReadonlyMap<string, number>,
): FoundMemory {
  return {
    id: entry._id,
    type: entry.type,
    key: entry.key,
    content: entry.content,
    score,
    tokens: entry.tokens,
    tier,
    vecScore: cosines.get(entry._id) ?? null,
    ftsScore: words.get(entry._id) ?? null,
  };
}

function scores(hits: readonly Hit[]): Map<string, number> {
  return new Map(hits.map(({ id, score }) => [id, score]));
}

/** The built-in hashing adds little to the words; a trained model is worth as much as they are. */
function wordShare({ choice }: VectorStage): number {
  return choice?.source === 'static' ? 0.7 : 0.5;
}

function resolutionOf(strategyUsed: Strategy, vectors: VectorStage | null): Resolution {
  return {
    embeddingSource: vectors?.choice?.source ?? null,
    embeddingModel: vectors?.choice?.model ?? null,
    vectorStore: vectors?.store ?? 'none',
    strategyUsed,
    rerankApplied: false,
    fallbackReason: vectors?.reason ?? null,
  };
}

/** An answer after a failure is not kept: the next question may find everything well. Nor is one of another store's. */
function isLasting({ fallbackReason, vectorStore }: Resolution): boolean {
  return fallbackReason === null && vectorStore !== 'external';
}

function cacheKey(
  { query, strategy, owner, session, limit, maxTokens, minSimilarity }: Question,
  settings: Settings,
) {
  const asked = [query, strategy, owner, session, limit, maxTokens, minSimilarity];
  return JSON.stringify([asked, Object.values(settings)]);
}
