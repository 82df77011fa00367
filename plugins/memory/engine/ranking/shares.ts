/**
 * Weights of a hybrid ranking: shared words, the model's vectors, and word meanings. A model that distinguishes the
 * entries has the largest weight; one that does not know their language leaves its share to the other two. Basis of the
 * numbers: docs/benchmarks/memory.md.
 */

/** Built-in and static vectors embed words one by one; encoders read sentences. */
export type ModelKind = 'builtIn' | 'words' | 'sentences';

export interface Shares {
  readonly words: number;
  readonly model: number;
  readonly meaning: number;
}

/** Share of the words with vectors that embed words one by one in any language. */
const WORDS = 0.66;
/** With a fully trusted model: share of the words, and the model's share of the vectors. */
const TRUSTED: Readonly<Record<'words' | 'sentences', { words: number; model: number }>> = {
  words: { words: 0.4, model: 0.6 },
  sentences: { words: 0.2, model: 0.9 },
};

/** `trusted`: 0 to 1, see `trust`; `configured`: fixed share of the words for any model. */
export function sharesOf(kind: ModelKind, trusted: number, configured: number | undefined): Shares {
  if (kind === 'builtIn') {
    const words = configured ?? WORDS;
    return { words, model: (1 - words) * doubted(trusted), meaning: 0 };
  }
  const full = TRUSTED[kind];
  const words = configured ?? WORDS + (full.words - WORDS) * trusted;
  const model = full.model * trusted;
  return { words, model: (1 - words) * model, meaning: (1 - words) * (1 - model) };
}

/** The word table knows sixteen languages, so similar cosines for all entries are only weak evidence against it. */
export function doubted(trusted: number): number {
  return Math.max(LEAST_OF_BUILT_IN, trusted);
}

const LEAST_OF_BUILT_IN = 0.7;
