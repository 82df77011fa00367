/** What a word means to a search: its lexeme, or nothing for a stop word. */
import { createRequire } from 'node:module';
import type Snowball from 'snowball-stemmers';
import { errors } from '../base/errors.js';
import english from './stop-words.en.json' with { type: 'json' };

export type Configuration = (word: string) => string | undefined;

const STOP_WORDS: ReadonlySet<string> = new Set(english);

type Stemmer = ReturnType<typeof Snowball.newStemmer>;

/** Loaded with the first stem: its stemmers take 0.16 s of every start. */
function newStemmer(language: string): Stemmer {
  const snowball = createRequire(import.meta.url)('snowball-stemmers') as typeof Snowball;
  return snowball.newStemmer(language);
}

/** Snowball's, besides `english`. Their stop words are words like others. */
const LANGUAGES = [
  ...['arabic', 'armenian', 'basque', 'catalan', 'czech', 'danish', 'dutch', 'finnish', 'french'],
  ...['german', 'hungarian', 'irish', 'italian', 'norwegian', 'portuguese', 'romanian', 'russian', 'slovene'],
  ...['spanish', 'swedish', 'tamil', 'turkish'],
];

/** Of one language. Texts repeat their words, and a stem takes some ten microseconds to make. */
const STEMS_KEPT = 50_000;

/** Stemmers take time by the square of a word's length. */
const STEMMED = /^[\p{L}\p{M}]{1,30}$/u;
/** Words with other letters are their own lexemes: rows keep them so. */
const STEMMED_ENGLISH = /^[a-z]{1,50}$/;

function stemming(language: string, stemmed: RegExp, stopWords: ReadonlySet<string>): Configuration {
  const stems = new Map<string, string>();
  let stemmer: Stemmer | undefined;
  return (word) => {
    if (stopWords.has(word)) return undefined;
    if (!stemmed.test(word)) return word;
    let stem = stems.get(word);
    if (stem === undefined) {
      stemmer ??= newStemmer(language);
      stem = stemmer.stem(word);
      if (stems.size === STEMS_KEPT) stems.clear();
      stems.set(word, stem);
    }
    return stem;
  };
}

const CONFIGURATIONS: ReadonlyMap<string, Configuration> = new Map<string, Configuration>([
  ['simple', (word) => word],
  ['english', stemming('english', STEMMED_ENGLISH, STOP_WORDS)],
  ...LANGUAGES.map((language) => [language, stemming(language, STEMMED, new Set())] as const),
]);

export const CONFIGURATION_NAMES: readonly string[] = [...CONFIGURATIONS.keys()];

/** Of a name, `english` without one. Throws 42704. */
export function configurationNamed(name = 'english'): Configuration {
  const found = CONFIGURATIONS.get(name.replace(/^pg_catalog\./, '').toLowerCase());
  if (found !== undefined) return found;
  throw errors['42704']({
    message: `text search configuration "${name}" does not exist`,
    hint: `There are ${CONFIGURATION_NAMES.join(', ')}.`,
  });
}
