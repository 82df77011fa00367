/** Splits text into segments: words, runs of scripts without spaces, symbols and numbers. */
import { compatibleText, UNSPACED_SCRIPTS } from 'plugboard/sdk';
import { DEFAULT_LANGUAGE, isStopWord } from './language.js';
import { numberOf, SEPARATED } from './numbers.js';

/** Text between separators: a word, or a run of a script without spaces. */
export interface Segment {
  /** In lower case and NFKC. */
  readonly text: string;
  readonly spaced: boolean;
  /** On a part of an identifier: the whole identifier. */
  readonly partOf?: string;
  /** The identifier is a word followed by a number: a query for it requires both. */
  readonly numbered?: boolean;
}

/** A letter or digit of any other script; combining marks may follow. */
const LETTER = `[[\\p{L}\\p{N}]--[${UNSPACED_SCRIPTS}ー]]`;
const MORE = `[[\\p{L}\\p{N}\\p{M}_]--[${UNSPACED_SCRIPTS}ー]]*`;
/** Emoji, currency symbols and flags: each is a word. */
const SIGN = '\\p{RI}{2}|[\\p{So}\\p{Sc}]';
const RUN = new RegExp(
  `(?<run>[${UNSPACED_SCRIPTS}ー々]+|${SIGN})|${SEPARATED}|${LETTER}${MORE}(?:['’]${LETTER}${MORE})*`,
  'gv',
);
const ASCII_WORD = new RegExp(`${SEPARATED}|\\$|[A-Za-z0-9][A-Za-z0-9_]*(?:'[A-Za-z][A-Za-z0-9_]*)*`, 'g');
const NOT_ASCII = /[^\u0000-\u007f]/;
const CONTRACTION = /'(?:s|t|d|m|ll|re|ve)$/;
/** French and Italian elision: "l'eau" becomes eau. */
const ELISION = /^(?:[cdjlmnst]|qu|un|all|del|dell|nell|sull)'/;
/** Words between two pauses. */
const STEP = 100;

/** Texts up to this many letters are split in one step, in half the time. */
const AT_ONCE = 1_000;

/** The segments of a text in order, including stop words. The parts of an identifier come before the whole. */
export function* split(text: string): Generator<undefined, Segment[]> {
  const found: Segment[] = [];
  let words = 0;
  if (!NOT_ASCII.test(text)) {
    if (text.length <= AT_ONCE) {
      for (const word of text.match(ASCII_WORD) ?? []) pushAscii(word, found);
      return found;
    }
    for (const [word] of text.matchAll(ASCII_WORD)) {
      if (++words % STEP === 0) yield;
      pushAscii(word, found);
    }
    return found;
  }
  for (const match of compatibleText(text).matchAll(RUN)) {
    if (++words % STEP === 0) yield;
    if (match.groups?.['run'] === undefined) pushWord(match[0], found);
    else found.push({ text: match[0], spaced: false });
  }
  return found;
}

function pushAscii(word: string, found: Segment[]): void {
  if (word === '$') found.push({ text: word, spaced: false });
  else pushWord(word, found);
}

/** Where an identifier is split: aB, ABc, a_b, a1. */
const PARTS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|\p{N}+/gu;
const CODE = /_|\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}{2}/u;
const NUMBERED = /\p{L}{2}\p{N}/u;
const PLAIN = /^[A-Za-z]?[a-z]*$/;

/** A longer word is not an identifier. */
const LONGEST_NAME = 1_000;

function pushWord(word: string, found: Segment[]): void {
  if (PLAIN.test(word)) {
    found.push({ text: word.toLowerCase(), spaced: true });
    return;
  }
  if (SEPARATED_NUMBER.test(word)) return pushNumber(word, found);
  const plain = word.replaceAll('’', "'");
  const text = plain.toLowerCase();
  // "anna's" becomes anna, "o'brien" obrien; "don't" is kept, as it is a stop word
  const whole = isStopWord(text, DEFAULT_LANGUAGE)
    ? text
    : text.replace(CONTRACTION, '').replace(ELISION, '').replace(/['_]/g, '');
  const isName = CODE.test(plain);
  if (plain.length <= LONGEST_NAME && (isName || NUMBERED.test(plain)))
    pushParts(plain, { partOf: whole, numbered: !isName }, found);
  if (whole !== '') found.push({ text: whole, spaced: true });
}

const SEPARATED_NUMBER = /^[0-9]+[.,'’]/;

/** The groups of digits, followed by the number. */
function pushNumber(text: string, found: Segment[]): void {
  const whole = numberOf(text);
  for (const part of text.match(DIGITS) ?? [])
    found.push({ text: part, spaced: true, ...(whole !== undefined && { partOf: whole }) });
  if (whole !== undefined) found.push({ text: whole, spaced: true });
}

const DIGITS = /[0-9]+/g;

function pushParts(
  word: string,
  name: { readonly partOf: string; readonly numbered: boolean },
  found: Segment[],
): void {
  const parts = word.match(PARTS) ?? [];
  if (parts.length < 2) return;
  for (const part of parts) found.push({ text: part.toLowerCase(), spaced: true, ...name });
}
