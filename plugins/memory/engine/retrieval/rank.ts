/** The order of a question's hits: by words, by vectors, or by both fused. */
import type { Hit } from '../base/attributes.js';
import { fuse, trust, vectorEvidence, wordEvidence } from '../ranking/fusion.js';
import { inConversations } from '../ranking/neighbours.js';
import { BUILT_IN } from '../embedding/built-in.js';
import type { Strategy } from '../base/schema.js';
import { filterOf, type Question, type Resolution, type Tier } from './question.js';
import { searchVectors, type VectorParts, type VectorStage, type WantedStore } from './vector-stage.js';

export interface RankingParts extends VectorParts {
  /** Turns of one session lend their score to those beside them, see ranking/neighbours.ts. */
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
const VECTOR_DEPTH = 100;
const WORD_DEPTH = 200;

export async function rank(parts: RankingParts, question: Question, store: WantedStore): Promise<Ranking> {
  if (question.strategy === 'exact') return byWords(parts, question, null);
  const vectors = await searchVectors(parts, question, store, Math.max(VECTOR_DEPTH, question.limit));
  if (vectors.store === 'none') return byWords(parts, question, vectors);
  return question.strategy === 'semantic'
    ? byVectors(parts, question, vectors)
    : byBoth(parts, question, vectors);
}

/** What `exact` asks for, in the order of BM25, and what every other strategy falls back to. */
function byWords(parts: RankingParts, question: Question, vectors: VectorStage | null): Ranking {
  const hits = wordHits(parts, question);
  return {
    hits: vectors === null ? hits : inSessions(parts, question, wordEvidence(hits, 0)),
    words: scores(hits),
    cosines: new Map(),
    tier: 'fts5',
    resolution: resolutionOf('exact', vectors),
  };
}

function byVectors(parts: RankingParts, question: Question, vectors: VectorStage): Ranking {
  const hits = inSessions(parts, question, vectorEvidence(vectors.hits, vectors.spread));
  return {
    hits,
    words: new Map(),
    cosines: scores(withCosines(vectors, hits.slice(0, question.limit))),
    tier: vectors.store === 'external' ? 'external' : 'vector',
    resolution: resolutionOf('semantic', vectors),
  };
}

function byBoth(parts: RankingParts, question: Question, vectors: VectorStage): Ranking {
  const { query, owner } = question;
  const words = wordHits(parts, question);
  const compared = withCosines(vectors, words);
  const saidByWords = wordEvidence(words, parts.index.keyword.possible(query, owner));
  const saidByVectors = vectorEvidence(compared, vectors.spread);
  const share = parts.keywordWeight ?? wordShare(vectors);
  const fused = fuse([
    { hits: saidByWords, weight: share },
    { hits: saidByVectors, weight: (1 - share) * trust(vectors.hits, vectors.spread) },
  ]);
  const hits = inSessions(parts, question, fused);
  return {
    hits,
    words: scores(words),
    // A neighbour that neither half found has a cosine too.
    cosines: scores(withCosines({ ...vectors, hits: compared }, hits.slice(0, question.limit))),
    tier: 'hybrid-rrf',
    resolution: resolutionOf('hybrid', vectors),
  };
}

function wordHits({ index }: RankingParts, question: Question): Hit[] {
  const { query, owner, limit } = question;
  const depth = Math.max(WORD_DEPTH, limit);
  return index.keyword.search(query, { owner, limit: depth, filter: filterOf(question) });
}

/** The nearest, and with their cosines those found by words: what is not among the nearest is not dissimilar. */
function withCosines({ hits, cosines }: VectorStage, words: readonly Hit[]): Hit[] {
  const nearest = new Set(hits.map(({ id }) => id));
  const others = words.filter(({ id }) => !nearest.has(id));
  const scores = cosines?.(others.map(({ id }) => id));
  const found = others.flatMap(({ id, createdAt }) => {
    const score = scores?.get(id);
    return score === undefined ? [] : [{ id, createdAt, score }];
  });
  return [...hits, ...found];
}

function inSessions(
  { neighbours, index: { sessions } }: RankingParts,
  { query }: Question,
  hits: readonly Hit[],
): readonly Hit[] {
  return neighbours ? inConversations(hits, sessions, query) : hits;
}

function scores(hits: readonly Hit[]): Map<string, number> {
  return new Map(hits.map(({ id, score }) => [id, score]));
}

/** The built-in vectors know words one by one, as the words do; a trained model is worth a little more. */
function wordShare({ choice }: VectorStage): number {
  return choice?.model === BUILT_IN ? 0.6 : 0.55;
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
