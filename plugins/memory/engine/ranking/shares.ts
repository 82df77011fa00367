/**
 * What counts how much in a hybrid ranking: the words that are shared, the vectors of the model, and what the words
 * mean. A model that tells the entries apart counts most; one that does not know their language leaves its share to
 * the other two. docs/benchmarks/memory.md has what the numbers were chosen on.
 */

/** The built-in vectors and static ones know words one by one; an encoder reads sentences. */
export type ModelKind = 'builtIn' | 'words' | 'sentences';

export interface Shares {
  readonly words: number;
  readonly model: number;
  readonly meaning: number;
}

/** Of the words, with vectors that know words one by one in any language. */
const WORDS = 0.66;
/** Of the words with a model that is fully trusted, and of this model in all vectors. */
const TRUSTED: Readonly<Record<'words' | 'sentences', { words: number; model: number }>> = {
  words: { words: 0.4, model: 0.6 },
  sentences: { words: 0.2, model: 0.9 },
};

/** `trusted` from 0 to 1, see `trust`; `configured`: the share of the words whatever the model. */
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

/** The table of words knows sixteen languages: that it finds entries alike says little against it. */
export function doubted(trusted: number): number {
  return Math.max(LEAST_OF_BUILT_IN, trusted);
}

const LEAST_OF_BUILT_IN = 0.7;
