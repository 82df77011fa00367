/** What a word means to a search: its lexeme, or nothing for a stop word. */
import { createRequire } from 'node:module';
import type Snowball from 'snowball-stemmers';
import { errors } from '../base/errors.js';
import english from './stop-words.en.json' with { type: 'json' };

export type Configuration = (word: string) => string | undefined;

const STOP_WORDS: ReadonlySet<string> = new Set(english);

/** Loaded with the first stem: its stemmers of 20 languages take 0.16 s of every start. */
let stemmer: ReturnType<typeof Snowball.newStemmer> | undefined;

function newStemmer(): ReturnType<typeof Snowball.newStemmer> {
  const snowball = createRequire(import.meta.url)('snowball-stemmers') as typeof Snowball;
  return snowball.newStemmer('english');
}

/** Texts repeat their words, and a stem takes some ten microseconds to make. */
const STEMS_KEPT = 50_000;
const stems = new Map<string, string>();

/** Words are short here: the stemmer takes quadratic time. */
function englishStem(word: string): string {
  let stem = stems.get(word);
  if (stem === undefined) {
    stemmer ??= newStemmer();
    stem = stemmer.stem(word);
    if (stems.size === STEMS_KEPT) stems.clear();
    stems.set(word, stem);
  }
  return stem;
}

const CONFIGURATIONS: ReadonlyMap<string, Configuration> = new Map<string, Configuration>([
  ['simple', (word) => word],
  [
    'english',
    (word) => (STOP_WORDS.has(word) ? undefined : /^[a-z]{1,50}$/.test(word) ? englishStem(word) : word),
  ],
]);

export const CONFIGURATION_NAMES: readonly string[] = [...CONFIGURATIONS.keys()];

/** Of a name, `english` without one. Throws 42704. */
export function configurationNamed(name = 'english'): Configuration {
  const found = CONFIGURATIONS.get(name.replace(/^pg_catalog\./, '').toLowerCase());
  if (found !== undefined) return found;
  throw errors['42704']({
    message: `text search configuration "${name}" does not exist`,
    hint: `There are ${CONFIGURATION_NAMES.join(' and ')}.`,
  });
}
