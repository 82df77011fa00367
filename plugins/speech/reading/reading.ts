/** From text as it was sent to sentences as they are spoken: the front end as one function, which `explain` shows. */
import { splitSentences, type End } from '../korean/sentences.js';
import { normalise, type Change } from '../normalise/normalise.js';
import { pronouncePhrase } from '../pronunciation/pronounce.js';
import type { SpokenWord } from '../pronunciation/word.js';

export interface SpokenClause {
  readonly words: readonly SpokenWord[];
  readonly end: End;
}

export interface SpokenSentence {
  /** Normalised. */
  readonly text: string;
  readonly clauses: readonly SpokenClause[];
  readonly syllables: number;
}

export interface Reading {
  readonly normalised: string;
  readonly changes: readonly Change[];
  readonly sentences: readonly SpokenSentence[];
  readonly syllables: number;
}

export function read(input: string): Reading {
  const { text, changes } = normalise(input);
  const sentences = splitSentences(text).map((sentence) => {
    const clauses = sentence.clauses.map(({ words, end }) => ({ words: pronouncePhrase(words), end }));
    const syllables = sentence.clauses.reduce(
      (sum, { words }) => sum + words.reduce((length, word) => length + word.length, 0),
      0,
    );
    return { text: sentence.text, clauses, syllables };
  });
  const syllables = sentences.reduce((sum, sentence) => sum + sentence.syllables, 0);
  return { normalised: text, changes, sentences, syllables };
}
