/** The order of a question's hits: by words, by vectors, or by both fused. */
import type { Hit } from '../attributes.js';
import { fuse } from '../ranking/fusion.js';
import { smooth } from '../ranking/neighbours.js';
import type { Strategy } from '../schema/common.js';
import { filterOf, type Question, type Resolution, type Tier } from './question.js';
import { searchVectors, type VectorParts, type VectorStage, type WantedStore } from './vector-stage.js';

export interface RankingParts extends VectorParts {
  /** Turns of one session lend their score to those beside them. */
  readonly neighbours: boolean;
  /** The share of the words in a hybrid ranking, 0 to 1; undefined: by the embedding's worth. */
  readonly keywordWeight: number | undefined;
}

export interface Ranking {
  readonly hits: readonly Hit[];
  /** BM25 scores of the hits that have one. */
  readonly words: ReadonlyMap<string, number>;
  /** Cosines of the hits that have one. */
  readonly cosines: ReadonlyMap<string, number>;
  readonly tier: Tier;
  readonly resolution: Resolution;
}

/** How deep each ranking goes before they are fused and cut. */
const DEPTH = 100;

export async function rank(parts: RankingParts, question: Question, store: WantedStore): Promise<Ranking> {
  if (question.strategy === 'exact') return byWords(parts, question, null);
  const vectors = await searchVectors(parts, question, store, depthOf(question));
  if (vectors.store === 'none') return byWords(parts, question, vectors);
  return question.strategy === 'semantic' ? byVectors(parts, vectors) : byBoth(parts, question, vectors);
}

/** What `exact` asks for, and what every other strategy falls back to. */
function byWords(parts: RankingParts, question: Question, vectors: VectorStage | null): Ranking {
  const hits = wordHits(parts, question);
  return {
    hits,
    words: scores(hits),
    cosines: new Map(),
    tier: 'fts5',
    resolution: resolutionOf('exact', vectors),
  };
}

function byVectors(parts: RankingParts, vectors: VectorStage): Ranking {
  return {
    hits: smoothed(parts, vectors.hits),
    words: new Map(),
    cosines: scores(vectors.hits),
    tier: vectors.store === 'external' ? 'external' : 'vector',
    resolution: resolutionOf('semantic', vectors),
  };
}

function byBoth(parts: RankingParts, question: Question, vectors: VectorStage): Ranking {
  const words = wordHits(parts, question);
  const share = parts.keywordWeight ?? wordShare(vectors);
  const hits = fuse([
    { hits: smoothed(parts, words), weight: share },
    { hits: smoothed(parts, vectors.hits), weight: 1 - share },
  ]);
  return {
    hits,
    words: scores(words),
    cosines: scores(vectors.hits),
    tier: 'hybrid-rrf',
    resolution: resolutionOf('hybrid', vectors),
  };
}

function wordHits({ index }: RankingParts, question: Question): Hit[] {
  const { query, owner } = question;
  return index.keyword.search(query, { owner, limit: depthOf(question), filter: filterOf(question) });
}

function smoothed({ neighbours, index }: RankingParts, hits: readonly Hit[]): readonly Hit[] {
  return neighbours ? smooth(hits, (id) => index.sessions.neighbours(id)) : hits;
}

function depthOf({ limit }: Question): number {
  return Math.max(DEPTH, limit);
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
