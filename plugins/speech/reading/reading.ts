/** From text as sent to sentences as spoken: the front end as one function, which `explain` shows. */
import { nextTurn, turnIsOver } from 'plugboard/sdk';
import { decompose, isSyllable } from '../korean/hangul.js';
import { splitSentences, type Break, type End, type Sentence } from '../korean/sentences.js';
import type { Dictionary } from '../normalise/dictionary.js';
import { normalise, type Change } from '../normalise/normalise.js';
import type { Place } from '../normalise/tokens/tidy.js';
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
  /** Syllables that end in a consonant, as written. */
  readonly codas: number;
  readonly words: number;
  /** Number of commas. */
  readonly commas: number;
  readonly break: Break;
}

export interface Reading {
  readonly normalised: string;
  readonly changes: readonly Change[];
  /** For each character of the normalised text, its place in the input. */
  readonly places: readonly Place[];
  readonly sentences: readonly SpokenSentence[];
  readonly syllables: number;
}

/** Cheap compared with speaking: words are pronounced when a sentence's clauses are read. */
export async function read(input: string, dictionary?: Dictionary): Promise<Reading> {
  const { text, changes, places } = await normalise(input, dictionary);
  const sentences: SpokenSentence[] = [];
  let syllables = 0;
  for (const sentence of splitSentences(text)) {
    const next = spoken(sentence);
    sentences.push(next);
    syllables += next.syllables;
    if (turnIsOver()) await nextTurn();
  }
  return { normalised: text, changes, places, sentences, syllables };
}

function spoken({ text, clauses, break: after }: Sentence): SpokenSentence {
  let pronounced: SpokenClause[] | undefined;
  const words = clauses.flatMap((clause) => clause.words);
  return {
    text,
    commas: clauses.length - 1,
    break: after,
    syllables: words.reduce((sum, word) => sum + word.length, 0),
    codas: words.reduce((sum, word) => sum + codasOf(word), 0),
    words: words.length,
    get clauses() {
      pronounced ??= clauses.map((clause) => ({ words: pronouncePhrase(clause.words), end: clause.end }));
      return pronounced;
    },
  };
}

function codasOf(word: string): number {
  let count = 0;
  for (const character of word) if (isSyllable(character) && decompose(character).coda !== '') count += 1;
  return count;
}
