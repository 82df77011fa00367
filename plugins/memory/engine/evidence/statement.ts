/** What a sentence states that can be checked without a model. */
import { analyze } from '../analyzer/analyze.js';
import { DEFAULT_LANGUAGE, isStopWord, languageByScript, stem, type Language } from '../analyzer/language.js';
import { numberOf, SEPARATED } from '../analyzer/numbers.js';
import numberWords from './number-words.json' with { type: 'json' };
import { negationsIn, wordsOf } from './negation.js';

export interface Statement {
  readonly text: string;
  /** Normalised by `numberOf`; number words included. */
  readonly numbers: ReadonlySet<string>;
  /** Capitalised words that are not stop words, as written, by stem. */
  readonly names: ReadonlyMap<string, string>;
  readonly terms: ReadonlySet<string>;
  readonly negated: boolean;
}

const TOKEN = new RegExp(`${SEPARATED}|[\\p{L}\\p{M}\\p{N}]+`, 'gu');
const DIGITS = /[0-9]+/g;
const CAPITAL = /^\p{Lu}/u;

const wordNumbers = new Map<string, ReadonlyMap<string, string>>(
  Object.entries(numberWords).map(([language, words]) => [
    language,
    new Map(words.map((word, at) => [word, String(at + 2)])),
  ]),
);

const sentences = new Intl.Segmenter(undefined, { granularity: 'sentence' });

/** The sentences of a text; a line break ends a sentence. */
export function sentencesOf(text: string): string[] {
  return text
    .split('\n')
    .flatMap((line) => [...sentences.segment(line)].map(({ segment }) => segment.trim()))
    .filter((sentence) => sentence !== '');
}

export function statementsOf(text: string): Statement[] {
  return sentencesOf(text).map(statementOf);
}

export function statementOf(text: string): Statement {
  const { terms, language = DEFAULT_LANGUAGE } = analyze(text);
  const numbers = new Set<string>();
  const names = new Map<string, string>();
  for (const [token] of text.normalize('NFKC').matchAll(TOKEN)) {
    for (const number of numbersOf(token, language)) numbers.add(number);
    const word = token.toLowerCase();
    if (CAPITAL.test(token) && word.length > 1 && !isStopWord(word, language))
      names.set(stemOf(word, language), token);
  }
  return { text, numbers, names, terms: new Set(terms), negated: negationsIn(wordsOf(text)) > 0 };
}

/** Stems of all words of a text, to find names that are written in lower case elsewhere. */
export function stemsOf(text: string): Set<string> {
  const { language = DEFAULT_LANGUAGE } = analyze(text);
  return new Set(wordsOf(text.normalize('NFKC')).map((word) => stemOf(word, language)));
}

function numbersOf(token: string, language: Language): string[] {
  const word = wordNumbers.get(language)?.get(token.toLowerCase());
  if (word !== undefined) return [word];
  const number = numberOf(token);
  return number === undefined ? (token.match(DIGITS) ?? []) : [number];
}

function stemOf(word: string, language: Language): string {
  return stem(word, languageByScript(word) ?? language);
}
