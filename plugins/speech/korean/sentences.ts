/** Normalised text cut into sentences, clauses and words, each of a length that an engine takes. */
import { countSyllables } from './hangul.js';

export type End = '.' | ',' | '?' | '!';

export interface Clause {
  readonly words: readonly string[];
  readonly end: End;
}

/** What is spoken in one piece. */
export interface Sentence {
  readonly text: string;
  readonly clauses: readonly Clause[];
}

/** A sentence longer than this goes on in the next piece. */
const MOST_SYLLABLES = 120;
/** A clause longer than this gets a pause at a connective ending, or at the last space. */
const MOST_IN_CLAUSE = 48;
/** A word longer than this is cut. */
const MOST_IN_WORD = 24;
/** Endings behind which a pause is natural. */
const CONNECTIVES = ['고', '며', '면', '서', '니까', '지만', '는데', '으나', '거나', '려고', '도록'];

export function splitSentences(normalised: string): Sentence[] {
  return normalised
    .split('\n')
    .flatMap(splitAtEnds)
    .flatMap(({ text, end }) => pieces(clausesOf(text, end)))
    .map((clauses) => ({ text: clauses.map(textOf).join(' '), clauses }));
}

function splitAtEnds(line: string): { text: string; end: End }[] {
  const sentences: { text: string; end: End }[] = [];
  let text = '';
  for (let at = 0; at < line.length; at += 1) {
    const character = line.charAt(at);
    const ends = isEnd(character) && character !== ',';
    if (!ends) {
      text += character;
      continue;
    }
    sentences.push({ text, end: character });
    text = '';
  }
  sentences.push({ text, end: '.' });
  return sentences.filter((sentence) => countSyllables(sentence.text) > 0);
}

function isEnd(character: string): character is End {
  return character === '.' || character === ',' || character === '?' || character === '!';
}

function clausesOf(text: string, end: End): Clause[] {
  const spoken = text
    .split(',')
    .map(wordsOf)
    .filter((words) => words.length > 0);
  return spoken.flatMap((words, at) => shortClauses(words, at === spoken.length - 1 ? end : ','));
}

/** Only what is read: other characters do not get this far, and would not be spoken. */
function wordsOf(text: string): string[] {
  return text
    .split(' ')
    .filter((word) => countSyllables(word) > 0)
    .flatMap(shortWords);
}

function shortWords(word: string): string[] {
  const parts: string[] = [];
  for (let at = 0; at < word.length; at += MOST_IN_WORD) parts.push(word.slice(at, at + MOST_IN_WORD));
  return parts;
}

function shortClauses(words: readonly string[], end: End): Clause[] {
  const clauses: Clause[] = [];
  let open: string[] = [];
  let syllables = 0;
  words.forEach((word, at) => {
    const length = word.length;
    const next = words[at + 1]?.length ?? 0;
    open.push(word);
    syllables += length;
    const isFull = syllables + next > MOST_IN_CLAUSE;
    const pauses = syllables > MOST_IN_CLAUSE / 2 && CONNECTIVES.some((ending) => word.endsWith(ending));
    if (at < words.length - 1 && (isFull || pauses)) {
      clauses.push({ words: open, end: ',' });
      open = [];
      syllables = 0;
    }
  });
  return [...clauses, { words: open, end }];
}

function pieces(clauses: readonly Clause[]): Clause[][] {
  const all: Clause[][] = [];
  let open: Clause[] = [];
  let syllables = 0;
  for (const clause of clauses) {
    const length = clause.words.reduce((sum, word) => sum + word.length, 0);
    if (open.length > 0 && syllables + length > MOST_SYLLABLES) {
      all.push(open);
      open = [];
      syllables = 0;
    }
    open.push(clause);
    syllables += length;
  }
  if (open.length > 0) all.push(open);
  return all;
}

function textOf({ words, end }: Clause): string {
  return words.join(' ') + end;
}
