/** The text search configurations by name. */
import { createRequire } from 'node:module';
import type Snowball from 'snowball-stemmers';
import { errors } from '../base/errors.js';
import english from './stop-words.en.json' with { type: 'json' };
import { unspacedConfiguration } from './unspaced.js';
import { wordByWord, type Configuration } from './words.js';

const STOP_WORDS: ReadonlySet<string> = new Set(english);

type Stemmer = ReturnType<typeof Snowball.newStemmer>;

/** Loaded with the first stem: the stemmers take 0.16 s. */
function newStemmer(language: string): Stemmer {
  const snowball = createRequire(import.meta.url)('snowball-stemmers') as typeof Snowball;
  return snowball.newStemmer(language);
}

/** Snowball's, besides `english`. Their stop words count as words. */
const LANGUAGES = [
  ...['arabic', 'armenian', 'basque', 'catalan', 'czech', 'danish', 'dutch', 'finnish', 'french'],
  ...['german', 'hungarian', 'irish', 'italian', 'norwegian', 'portuguese', 'romanian', 'russian', 'slovene'],
  ...['spanish', 'swedish', 'tamil', 'turkish'],
];

/** Per language. Texts repeat their words, and a stem takes some ten microseconds. */
const STEMS_KEPT = 50_000;

/** Stemming takes time by the square of a word's length. */
const STEMMED = /^[\p{L}\p{M}]{1,30}$/u;
/** Words with other letters are their own lexemes: rows store them so. */
const STEMMED_ENGLISH = /^[a-z]{1,50}$/;

function stemming(language: string, stemmed: RegExp): (word: string) => string {
  const stems = new Map<string, string>();
  let stemmer: Stemmer | undefined;
  return (word) => {
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

const englishStem = stemming('english', STEMMED_ENGLISH);

/** One for all three: texts mix their scripts. English words among them have stems, and none is a stop word. */
const unspaced = unspacedConfiguration(englishStem);

const CONFIGURATIONS: ReadonlyMap<string, Configuration> = new Map<string, Configuration>([
  ['simple', wordByWord((word) => word)],
  ['english', wordByWord((word) => (STOP_WORDS.has(word) ? undefined : englishStem(word)))],
  ...LANGUAGES.map((language) => [language, wordByWord(stemming(language, STEMMED))] as const),
  ...['korean', 'japanese', 'chinese'].map((language) => [language, unspaced] as const),
]);

export const CONFIGURATION_NAMES: readonly string[] = [...CONFIGURATIONS.keys()];

/** By name, `english` by default. Throws 42704. */
export function configurationNamed(name = 'english'): Configuration {
  const found = CONFIGURATIONS.get(name.replace(/^pg_catalog\./, '').toLowerCase());
  if (found !== undefined) return found;
  throw errors['42704']({
    message: `text search configuration "${name}" does not exist`,
    hint: `There are ${CONFIGURATION_NAMES.join(', ')}.`,
  });
}
