/** Text to the terms that the keyword index counts. */
import {
  DEFAULT_LANGUAGE,
  isStopWord,
  languageByScript,
  languageOf,
  stem,
  type Language,
} from './language.js';
import particles from './particles.ko.json' with { type: 'json' };

/** A stretch of text between separators: a word, or a run of a script that puts no spaces between its words. */
export interface Segment {
  /** In lower case and NFKC. */
  readonly text: string;
  readonly spaced: boolean;
  /** Of a part of a name of code: the whole name. */
  readonly partOf?: string;
  /** The name is a word with a number behind it: a query for it means all of it. */
  readonly numbered?: boolean;
}

export interface Analysis {
  /** In the order of the text, repeated as often as they occur. */
  readonly terms: string[];
  /** Of its words in Latin letters; undefined: nothing tells. */
  readonly language: Language | undefined;
}

/** Scripts whose runs are cut into character bigrams: no spaces, or (Hangul) particles glued to the words. */
const UNSPACED = ['Hangul', 'Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => `\\p{Script=${script}}`)
  .join('');

/** A letter or a digit of any other script; combining marks follow one. */
const LETTER = `[[\\p{L}\\p{N}]--[${UNSPACED}ー]]`;
const MORE = `[[\\p{L}\\p{N}\\p{M}_]--[${UNSPACED}ー]]*`;
const RUN = new RegExp(`(?<run>[${UNSPACED}ー々]+)|${LETTER}${MORE}(?:['’]${LETTER}${MORE})*`, 'gv');
const ASCII_WORD = /[A-Za-z0-9][A-Za-z0-9_]*(?:'[A-Za-z][A-Za-z0-9_]*)*/g;
const NOT_ASCII = /[^\u0000-\u007f]/;
const CONTRACTION = /'(?:s|t|d|m|ll|re|ve)$/;
/** French and Italian: "l'eau" is eau. */
const ELISION = /^(?:[cdjlmnst]|qu|un|all|del|dell|nell|sull)'/;
/** A noun of one syllable with a particle: its bigram changes with the particle, so the syllable is a term as well. */
const SYLLABLE_NOUN = new RegExp(`^(?<noun>\\p{Script=Hangul})(?:${particles.join('|')})$`, 'u');

/** The terms of a text in its own language. */
export function analyze(text: string): Analysis {
  return finish(analyzeInSteps(text));
}

/** The same with pauses: a text may have 100,000 characters, and as many words as half of that. */
export function* analyzeInSteps(text: string): Generator<undefined, Analysis> {
  const { segments, language } = yield* segmentedInSteps(text);
  const terms: string[] = [];
  for (let at = 0; at < segments.length; at++) {
    if (at % STEP === 0) yield;
    const { text: part, spaced } = segments[at]!;
    if (spaced) terms.push(termOf(part, language ?? DEFAULT_LANGUAGE));
    else pushRun(part, terms);
  }
  return { terms, language };
}

/** Words between two pauses. */
const STEP = 100;

/** A word of a query: any one of these terms is it. */
export type Alternatives = readonly [term: string, ...others: string[]];

/**
 * The words of a query, each as its terms in the languages of the entries: a query of one or two words seldom shows
 * its language. Each word comes once. A name of code is asked for as a whole where an entry has it, else by its parts.
 */
export function analyzeQuery(
  text: string,
  languages: readonly Language[],
  isKnown: (term: string) => boolean,
): Alternatives[] {
  const { segments, language } = segmented(text);
  const wanted = new Set([language ?? languages[0] ?? DEFAULT_LANGUAGE, ...languages]);
  const alternatives = (word: string): Alternatives => {
    const [first = word, ...others] = new Set([...wanted].map((each) => termOf(word, each)));
    return [first, ...others];
  };
  const names = new Set(
    segments.flatMap(({ partOf, numbered }) => (partOf === undefined || numbered ? [] : [partOf])),
  );
  const known = new Set([...names].filter((name) => alternatives(name).some(isKnown)));
  const words = new Map<string, Alternatives>();
  for (const { text: part, spaced, partOf } of segments) {
    const isAsked =
      partOf === undefined ? !names.has(part) || known.has(part) : names.has(partOf) && !known.has(partOf);
    if (!isAsked) continue;
    if (spaced) {
      const terms = alternatives(part);
      if (!words.has(terms[0])) words.set(terms[0], terms);
    } else {
      const terms: string[] = [];
      pushRun(part, terms);
      for (const term of terms) words.set(term, [term]);
    }
  }
  return [...words.values()];
}

export interface Segmented {
  /** Without stop words. A name of code is its parts and, behind them, all of it. */
  readonly segments: Segment[];
  readonly language: Language | undefined;
}

export function segmented(text: string): Segmented {
  return finish(segmentedInSteps(text));
}

export function* segmentedInSteps(text: string): Generator<undefined, Segmented> {
  const found = yield* split(text);
  const telling: string[] = [];
  for (const { text: word, spaced } of found) {
    if (telling.length === MOST_TELLING) break;
    if (spaced) telling.push(word);
  }
  const language = languageOf(telling);
  yield;
  const segments: Segment[] = [];
  for (let at = 0; at < found.length; at++) {
    if (at % STEP === 0) yield;
    const segment = found[at]!;
    const isStop =
      segment.spaced &&
      isStopWord(segment.text, languageByScript(segment.text) ?? language ?? DEFAULT_LANGUAGE);
    if (!isStop) segments.push(segment);
  }
  return { segments, language };
}

function finish<T>(steps: Iterator<unknown, T>): T {
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
}

/** The words of a text of so many letters are found at once, in half of the time. */
const AT_ONCE = 1_000;
/** Words that are looked at for the language of a text. */
const MOST_TELLING = 5_000;

function* split(text: string): Generator<undefined, Segment[]> {
  const found: Segment[] = [];
  let words = 0;
  if (!NOT_ASCII.test(text)) {
    if (text.length <= AT_ONCE) {
      for (const word of text.match(ASCII_WORD) ?? []) pushWord(word, found);
      return found;
    }
    for (const [word] of text.matchAll(ASCII_WORD)) {
      if (++words % STEP === 0) yield;
      pushWord(word, found);
    }
    return found;
  }
  for (const match of normalised(text).matchAll(RUN)) {
    if (++words % STEP === 0) yield;
    if (match.groups?.['run'] === undefined) pushWord(match[0], found);
    else found.push({ text: match[0], spaced: false });
  }
  return found;
}

/** One letter can become eighteen; a text of such letters stays as it is written. */
function normalised(text: string): string {
  const compatible = text.normalize('NFKC');
  return compatible.length > MOST_GROWTH * text.length ? text.normalize('NFC') : compatible;
}

const MOST_GROWTH = 2;

/** The overlapping pairs of characters of a run; a lone character, and a Korean noun of one, stand for themselves. */
export function pushRun(run: string, terms: string[]): void {
  const characters = Array.from(run);
  if (characters.length === 1) terms.push(run);
  for (let at = 1; at < characters.length; at++) terms.push(characters[at - 1]! + characters[at]!);
  const noun = SYLLABLE_NOUN.exec(run)?.groups?.['noun'];
  if (noun !== undefined) terms.push(noun);
}

function termOf(word: string, language: Language): string {
  return stem(word, languageByScript(word) ?? language);
}

/** Where a name of code is cut: aB, ABc, a_b, a1. */
const PARTS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|\p{N}+/gu;
const CODE = /_|\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}{2}/u;
const NUMBERED = /\p{L}{2}\p{N}/u;
const PLAIN = /^[A-Za-z]?[a-z]*$/;

/** What is longer is no name of code. */
const LONGEST_NAME = 1_000;

function pushWord(word: string, found: Segment[]): void {
  if (PLAIN.test(word)) {
    found.push({ text: word.toLowerCase(), spaced: true });
    return;
  }
  const plain = word.replaceAll('’', "'");
  const text = plain.toLowerCase();
  // "anna's" is anna, "o'brien" is obrien; "don't" stays for the stop words
  const whole = isStopWord(text, DEFAULT_LANGUAGE)
    ? text
    : text.replace(CONTRACTION, '').replace(ELISION, '').replace(/['_]/g, '');
  const isName = CODE.test(plain);
  if (plain.length <= LONGEST_NAME && (isName || NUMBERED.test(plain)))
    pushParts(plain, { partOf: whole, numbered: !isName }, found);
  if (whole !== '') found.push({ text: whole, spaced: true });
}

function pushParts(
  word: string,
  name: { readonly partOf: string; readonly numbered: boolean },
  found: Segment[],
): void {
  const parts = word.match(PARTS) ?? [];
  if (parts.length < 2) return;
  for (const part of parts) found.push({ text: part.toLowerCase(), spaced: true, ...name });
}
