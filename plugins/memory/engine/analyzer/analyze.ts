/** Turns text into the terms that the keyword index counts. */
import { bigramsOf, KOREAN_PARTICLES } from 'plugboard/sdk';
import {
  DEFAULT_LANGUAGE,
  isStopWord,
  languageByScript,
  languageOf,
  stem,
  type Language,
} from './language.js';
import { spellingsOf } from './spellings.js';
import { split, type Segment } from './split.js';

export interface Analysis {
  /** In text order, repeated as often as they occur. */
  readonly terms: string[];
  /** Stop words as separate terms, each once; they match queries that consist of stop words only. */
  readonly common: readonly string[];
  /** Language of the words in Latin letters; undefined if unknown. */
  readonly language: Language | undefined;
}

/** A one-syllable noun with a particle: its bigram varies with the particle, so the syllable is a term as well. */
const SYLLABLE_NOUN = new RegExp(`^(?<noun>\\p{Script=Hangul})(?:${KOREAN_PARTICLES.join('|')})$`, 'u');

/** The terms of a text in its own language. */
export function analyze(text: string): Analysis {
  return finish(analyzeInSteps(text));
}

/** As `analyze`, with pauses: a text may have 100,000 characters and half as many words. */
export function* analyzeInSteps(text: string): Generator<undefined, Analysis> {
  const { segments, stopWords, language } = yield* segmentedInSteps(text);
  const terms: string[] = [];
  for (let at = 0; at < segments.length; at++) {
    if (at % STEP === 0) yield;
    const { text: part, spaced } = segments[at]!;
    if (spaced) terms.push(termOf(part, language ?? DEFAULT_LANGUAGE));
    else pushRun(part, terms);
  }
  return { terms, common: Array.from(stopWords, (word) => COMMON + word), language };
}

/** Words between two pauses. */
const STEP = 100;

/** Words examined to detect the language of a text. */
const MOST_TELLING = 5_000;

/** Prefix of stop words that are terms; no other term starts with it. */
const COMMON = ' ';

export function isCommon([term]: Alternatives): boolean {
  return term.startsWith(COMMON);
}

/** A query word: matches if any of these terms does. */
export type Alternatives = readonly [term: string, ...others: string[]];

/**
 * The words of a query, each once, each with its terms in the languages of the entries: a query of one or two words
 * rarely shows its language. An identifier or a number with separators matches as a whole if an entry has it, otherwise
 * by its parts. Stop words count only if the query has no other words.
 */
export function analyzeQuery(
  text: string,
  languages: readonly Language[],
  isKnown: (term: string) => boolean,
): Alternatives[] {
  const { segments, stopWords, language } = segmented(text);
  const wanted = new Set([language ?? languages[0] ?? DEFAULT_LANGUAGE, ...languages]);
  const alternatives = (word: string): Alternatives => {
    const [first = word, ...others] = new Set([...wanted].map((each) => termOf(word, each)));
    const spelled = spellingsOf(word).flatMap((other) => [...wanted].map((each) => termOf(other, each)));
    return [first, ...new Set([...others, ...spelled.filter(isKnown)])];
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
  if (words.size > 0) return [...words.values()];
  return Array.from(stopWords, (word): Alternatives => [COMMON + word, ...alternatives(word)]);
}

export interface Segmented {
  /** Without stop words. The parts of an identifier come before the whole. */
  readonly segments: Segment[];
  /** Each once. */
  readonly stopWords: ReadonlySet<string>;
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
  const stopWords = new Set<string>();
  for (let at = 0; at < found.length; at++) {
    if (at % STEP === 0) yield;
    const segment = found[at]!;
    const isStop =
      segment.spaced &&
      isStopWord(segment.text, languageByScript(segment.text) ?? language ?? DEFAULT_LANGUAGE);
    if (isStop) stopWords.add(segment.text);
    else segments.push(segment);
  }
  return { segments, stopWords, language };
}

function finish<T>(steps: Iterator<unknown, T>): T {
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
}

/** Overlapping bigrams of a run. A single character and a one-syllable Korean noun are terms themselves. */
export function pushRun(run: string, terms: string[]): void {
  for (const pair of bigramsOf(run)) terms.push(pair);
  const noun = SYLLABLE_NOUN.exec(run)?.groups?.['noun'];
  if (noun !== undefined) terms.push(noun);
}

function termOf(word: string, language: Language): string {
  return stem(word, languageByScript(word) ?? language);
}
