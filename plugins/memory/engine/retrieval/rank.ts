/** Ranks the hits of a question: by words, by vectors, or by both fused. */
import type { Hit } from '../base/attributes.js';
import { fuse, trust, vectorEvidence, wordEvidence, type Spread } from '../ranking/fusion.js';
import { doubted, sharesOf, type ModelKind } from '../ranking/shares.js';
import { inConversations } from '../ranking/neighbours.js';
import { BUILT_IN } from '../embedding/built-in.js';
import type { Strategy } from '../base/schema.js';
import type { Settings } from '../settings/settings.js';
import { filterOf, type Question, type Resolution, type Tier } from './question.js';
import {
  ABOVE_ZERO,
  searchVectors,
  type VectorParts,
  type VectorStage,
  type WantedStore,
} from './vector-stage.js';

export interface RankingParts extends VectorParts {
  /** Turns of a session lend score to their neighbours, see ranking/neighbours.ts. */
  readonly neighbours: boolean;
  /** Share of the words in a hybrid ranking, 0 to 1; undefined: see ranking/shares.ts. */
  readonly keywordWeight: number | undefined;
}

export interface Ranking {
  readonly hits: readonly Hit[];
  /** BM25 scores of the hits that have one. */
  readonly words: ReadonlyMap<string, number>;
  /** Cosines of the hits that have one. */
  readonly cosines: ReadonlyMap<string, number>;
  /** Cosines of the given entries; undefined if unknown. */
  readonly cosinesOf: VectorStage['cosines'];
  /** References for word scores and cosines, see ranking/relevance.ts. */
  readonly possible: number;
  readonly spread: Spread | undefined;
  readonly tier: Tier;
  readonly resolution: Resolution;
}

/** Depth of each ranking before fusion. */
const VECTOR_DEPTH = 100;
export const WORD_DEPTH = 200;

export async function rank(
  parts: RankingParts,
  question: Question,
  settings: Settings,
  store: WantedStore,
): Promise<Ranking> {
  if (question.strategy === 'exact') return byWords(parts, question, null);
  const depth = Math.max(VECTOR_DEPTH, question.limit);
  const vectors = await searchVectors(parts, { question, settings, depth }, store);
  if (vectors.store === 'none') return byWords(parts, question, vectors);
  return question.strategy === 'semantic'
    ? byVectors(parts, question, vectors)
    : byBoth(parts, question, vectors, settings.staticEnabled);
}

/** The order of BM25: used by `exact`, and the fallback of every other strategy. */
function byWords(parts: RankingParts, question: Question, vectors: VectorStage | null): Ranking {
  const hits = wordHits(parts, question);
  return {
    hits: vectors === null ? hits : inSessions(parts, question, wordEvidence(hits, 0)),
    words: scores(hits),
    cosines: new Map(),
    cosinesOf: undefined,
    possible: possible(parts, question),
    spread: undefined,
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
    cosinesOf: vectors.cosines,
    possible: 0,
    spread: vectors.spread,
    tier: vectors.store === 'external' ? 'external' : 'vector',
    resolution: resolutionOf('semantic', vectors),
  };
}

async function byBoth(
  parts: RankingParts,
  question: Question,
  vectors: VectorStage,
  hasMeanings: boolean,
): Promise<Ranking> {
  const words = wordHits(parts, question);
  const mostOfWords = possible(parts, question);
  const meant = hasMeanings ? await meaningHits(parts, question, vectors, words) : undefined;
  const compared = withCosines(vectors, words);
  const trusted = trust(vectors.hits, vectors.spread);
  const share = sharesOf(modelKind(vectors), trusted, parts.keywordWeight);
  const fused = fuse([
    { hits: wordEvidence(words, mostOfWords), weight: share.words },
    { hits: vectorEvidence(compared, vectors.spread), weight: share.model },
    ...(meant === undefined
      ? []
      : [
          {
            hits: vectorEvidence(withCosines(meant, words), meant.spread),
            weight: share.meaning * doubted(trust(meant.hits, meant.spread)),
          },
        ]),
  ]);
  const hits = inSessions(parts, question, fused);
  return {
    hits,
    words: scores(words),
    // A neighbour that is in no list has a cosine too.
    cosines: scores(withCosines({ ...vectors, hits: compared }, hits.slice(0, question.limit))),
    cosinesOf: vectors.cosines,
    possible: mostOfWords,
    spread: vectors.spread,
    tier: 'hybrid-rrf',
    resolution: resolutionOf('hybrid', vectors),
  };
}

/**
 * Hits by word meaning, in addition to a configured model: they find what the model misses if it does not know the
 * language. An entry that shares no word with the query must be as similar to it as the model's own hits.
 */
async function meaningHits(
  { index }: RankingParts,
  question: Question,
  vectors: VectorStage,
  words: readonly Hit[],
): Promise<Compared | undefined> {
  const { query, owner, minSimilarity } = question;
  const search = { owner, limit: VECTOR_DEPTH, minScore: ABOVE_ZERO, filter: filterOf(question) };
  const meant = await index.meant(query, search);
  if (meant === undefined || minSimilarity === undefined) return meant;
  const cosines = scores(withCosines(vectors, meant.hits));
  const shared = new Set(words.map(({ id }) => id));
  return {
    ...meant,
    hits: meant.hits.filter(({ id }) => shared.has(id) || (cosines.get(id) ?? -1) >= minSimilarity),
  };
}

function possible({ index }: RankingParts, { query, owner }: Question): number {
  return index.keyword.possible(query, owner);
}

function wordHits({ index }: RankingParts, question: Question): Hit[] {
  const { query, owner, limit, common = true } = question;
  const depth = Math.max(WORD_DEPTH, limit);
  return index.keyword.search(query, { owner, limit: depth, filter: filterOf(question), common });
}

/** Nearest entries of one model. */
type Compared = Pick<VectorStage, 'hits' | 'spread' | 'cosines'>;

/** The nearest, plus the word hits with their cosines: an entry that is not among the nearest may still be similar. */
function withCosines({ hits, cosines }: Compared, words: readonly Hit[]): Hit[] {
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

function modelKind({ choice }: VectorStage): ModelKind {
  if (choice?.model === BUILT_IN) return 'builtIn';
  return choice?.source === 'static' ? 'words' : 'sentences';
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
