/** From text as it was sent to sentences as they are spoken: the front end as one function, which `explain` shows. */
import { nextTurn, turnIsOver } from 'plugboard/sdk';
import { splitSentences, type End, type Sentence } from '../korean/sentences.js';
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
  /** How many clauses there are. */
  readonly pauses: number;
}

export interface Reading {
  readonly normalised: string;
  readonly changes: readonly Change[];
  readonly sentences: readonly SpokenSentence[];
  readonly syllables: number;
}

/** Cheap compared with speaking: words are pronounced when their sentence is asked for its clauses. */
export async function read(input: string): Promise<Reading> {
  const { text, changes } = await normalise(input);
  const sentences: SpokenSentence[] = [];
  let syllables = 0;
  for (const sentence of splitSentences(text)) {
    const next = spoken(sentence);
    sentences.push(next);
    syllables += next.syllables;
    if (turnIsOver()) await nextTurn();
  }
  return { normalised: text, changes, sentences, syllables };
}

function spoken({ text, clauses }: Sentence): SpokenSentence {
  let pronounced: SpokenClause[] | undefined;
  return {
    text,
    pauses: clauses.length,
    syllables: clauses.reduce(
      (sum, { words }) => sum + words.reduce((length, word) => length + word.length, 0),
      0,
    ),
    get clauses() {
      pronounced ??= clauses.map(({ words, end }) => ({ words: pronouncePhrase(words), end }));
      return pronounced;
    },
  };
}
