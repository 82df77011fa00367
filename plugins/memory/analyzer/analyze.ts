/** Text to the terms that the keyword index counts and the hashing embedder weighs. */
import { stem } from './porter.js';
import particles from './particles.ko.json' with { type: 'json' };
import english from './stop-words.en.json' with { type: 'json' };

/** A stretch of text between separators: a word, or a run of a script that puts no spaces between its words. */
export interface Segment {
  readonly text: string;
  readonly spaced: boolean;
}

/** Scripts whose runs are cut into character bigrams: no spaces, or (Hangul) particles glued to the words. */
const UNSPACED = ['Hangul', 'Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => `\\p{Script=${script}}`)
  .join('');

/** A letter or a digit of any other script; combining marks follow one. */
const LETTER = `[[\\p{L}\\p{N}]--[${UNSPACED}ー]]`;
const MORE = `[[\\p{L}\\p{N}\\p{M}]--[${UNSPACED}ー]]*`;
const RUN = new RegExp(`(?<run>[${UNSPACED}ー々]+)|${LETTER}${MORE}(?:['’]${LETTER}${MORE})*`, 'gv');
const ASCII_WORD = /[a-z0-9]+(?:'[a-z]+)*/g;
const NOT_ASCII = /[^\u0000-\u007f]/;
const LATIN = /^[\p{Script=Latin}\p{M}]+$/u;
const MARKS = /\p{M}+/gu;
const CONTRACTION = /['’](?:s|t|d|m|ll|re|ve)$/;

const stopWords: ReadonlySet<string> = new Set(english);
/** A noun of one syllable with a particle: its bigram changes with the particle, so the syllable is a term as well. */
const SYLLABLE_NOUN = new RegExp(`^(?<noun>\\p{Script=Hangul})(?:${particles.join('|')})$`, 'u');

/** The terms of a text in its order, repeated as often as they occur; stop words are left out. */
export function analyze(text: string): string[] {
  const terms: string[] = [];
  for (const segment of segments(text)) {
    if (segment.spaced) terms.push(wordTerm(segment.text));
    else pushRun(segment.text, terms);
  }
  return terms;
}

/** The segments of a text, in lower case and NFKC, without stop words. */
export function segments(text: string): Segment[] {
  const found: Segment[] = [];
  if (!NOT_ASCII.test(text)) {
    for (const [word] of text.toLowerCase().matchAll(ASCII_WORD)) pushWord(word, found);
    return found;
  }
  for (const match of text.normalize('NFKC').toLowerCase().matchAll(RUN)) {
    if (match.groups?.['run'] === undefined) pushWord(match[0], found);
    else found.push({ text: match[0], spaced: false });
  }
  return found;
}

/** The index term of a spaced segment: a Latin word's stem, without its accents; any other word as it is. */
export function wordTerm(word: string): string {
  if (!NOT_ASCII.test(word)) return stem(word);
  return LATIN.test(word) ? stem(word.normalize('NFD').replace(MARKS, '')) : word;
}

/** The overlapping pairs of characters of a run; a lone character, and a Korean noun of one, stand for themselves. */
export function pushRun(run: string, terms: string[]): void {
  const characters = Array.from(run);
  if (characters.length === 1) terms.push(run);
  for (let at = 1; at < characters.length; at++) terms.push(characters[at - 1]! + characters[at]!);
  const noun = SYLLABLE_NOUN.exec(run)?.groups?.['noun'];
  if (noun !== undefined) terms.push(noun);
}

function pushWord(word: string, found: Segment[]): void {
  const plain = word.replaceAll('’', "'");
  if (stopWords.has(plain)) return;
  // "anna's" is anna, "o'brien" is obrien
  const text = plain.replace(CONTRACTION, '').replaceAll("'", '');
  if (text !== '' && !stopWords.has(text)) found.push({ text, spaced: true });
}
