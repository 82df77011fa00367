/** The languages with a stemmer, and detection of the language of a text. */
import { createRequire } from 'node:module';
import type Snowball from 'snowball-stemmers';
import { arabicStem } from './arabic.js';
import { germanEnding } from './german.js';
import lists from './stop-words.json' with { type: 'json' };

export type Language = keyof typeof lists;

export const DEFAULT_LANGUAGE: Language = 'english';

/** Languages of other scripts, which a single word reveals. */
const BY_SCRIPT: readonly (readonly [Language, RegExp])[] = [
  ['arabic', /^\p{Script=Arabic}/u],
  ['russian', /^\p{Script=Cyrillic}/u],
];

/** These scripts start after this code point. */
const FIRST_OTHER = 0x370;

/** Letters that these languages have and English lacks; the fewer languages share a letter, the more it counts. */
const LETTERS: Readonly<Record<string, readonly Language[]>> = {
  ß: ['german'],
  ä: ['german', 'swedish'],
  ö: ['german', 'swedish', 'turkish'],
  ü: ['german', 'turkish'],
  å: ['swedish', 'danish', 'norwegian'],
  æ: ['danish', 'norwegian'],
  ø: ['danish', 'norwegian'],
  ñ: ['spanish'],
  ã: ['portuguese'],
  õ: ['portuguese'],
  ê: ['french', 'portuguese'],
  è: ['french', 'italian'],
  ç: ['french', 'portuguese', 'turkish'],
  ò: ['italian'],
  ù: ['french', 'italian'],
  ı: ['turkish'],
  ş: ['turkish'],
  ğ: ['turkish'],
};

const stopWords = new Map<Language, ReadonlySet<string>>(
  Object.entries(lists).map(([language, words]) => [language as Language, new Set(words)]),
);
const latin = [...stopWords].filter(([language]) => !BY_SCRIPT.some(([name]) => name === language));

/** By stop word: the Latin-script languages that have it. */
const languagesOf = new Map<string, Language[]>();
for (const [language, words] of latin) {
  for (const word of words) {
    const known = languagesOf.get(word);
    if (known === undefined) languagesOf.set(word, [language]);
    else known.push(language);
  }
}

/** A letter of Korean, Japanese or Chinese: their words are not cut at spaces alone. */
export const UNSPACED = /[\p{Script=Hangul}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/**
 * The language of a text in Latin letters: the one with the most of its stop words and letters. Undefined without
 * evidence. English wins ties.
 */
export function languageOf(words: readonly string[]): Language | undefined {
  const votes = new Map<Language, number>();
  const vote = (languages: readonly Language[], worth: number): void => {
    for (const language of languages) votes.set(language, (votes.get(language) ?? 0) + worth);
  };
  for (const word of words) {
    const languages = languagesOf.get(word);
    if (languages !== undefined) vote(languages, 1);
    if (!NOT_ASCII.test(word)) continue;
    for (const letter of new Set(word)) {
      const languages = LETTERS[letter];
      if (languages !== undefined) vote(languages, 1 / languages.length);
    }
  }
  let best: Language | undefined;
  let most = 0;
  for (const [language, count] of votes) {
    if (count > most || (count === most && language === DEFAULT_LANGUAGE)) [best, most] = [language, count];
  }
  return best;
}

/** The language of a word's script; undefined for Latin and for scripts without a stemmer. */
export function languageByScript(word: string): Language | undefined {
  if (word.charCodeAt(0) < FIRST_OTHER) return undefined;
  return BY_SCRIPT.find(([, script]) => script.test(word))?.[0];
}

export function isStopWord(word: string, language: Language): boolean {
  return stopWords.get(language)?.has(word) === true;
}

const NOT_ASCII = /[^\u0000-\u007f]/;
const MARKS = /\p{M}+/gu;
/** Alphabets that the stemmers know; other Latin words only lose their accents. */
const STEMMED_ASCII = /^[a-z]{3,40}$/;
const STEMMED = /^\p{L}{3,40}$/u;
/** Stems cached: stemming takes microseconds, and words recur. */
const REMEMBERED = 50_000;

const stemmers = new Map<Language, (word: string) => string>();

/** The stem of a lower-case word, without accents. */
export function stem(word: string, language: Language): string {
  let known = stemmers.get(language);
  if (known === undefined) stemmers.set(language, (known = remembering(stemmerOf(language))));
  return known(word);
}

function stemmerOf(language: Language): (word: string) => string {
  if (language === 'arabic') return arabicStem;
  const stemmer = snowball().newStemmer(language);
  if (language === 'german') {
    return (word) => germanEnding(withoutAccents(STEMMED.test(word) ? stemmer.stem(word) : word));
  }
  if (language === 'english') {
    return (word) => {
      const plain = withoutAccents(word);
      return STEMMED_ASCII.test(plain) ? stemmer.stem(plain) : plain;
    };
  }
  return (word) => withoutAccents(STEMMED.test(word) ? stemmer.stem(word) : word);
}

/** Loaded with the first stem: takes 0.16 s, which a start without memories can skip. */
function snowball(): typeof Snowball {
  return createRequire(import.meta.url)('snowball-stemmers') as typeof Snowball;
}

/** Two-generation cache: the older half is dropped at once. LRU ordering took a tenth of a start. */
function remembering(make: (word: string) => string): (word: string) => string {
  let recent = new Map<string, string>();
  let older = recent;
  return (word) => {
    let found = recent.get(word);
    if (found !== undefined) return found;
    found = older.get(word) ?? make(word);
    if (recent.size >= REMEMBERED / 2) {
      older = recent;
      recent = new Map();
    }
    recent.set(word, found);
    return found;
  };
}

/** Combining marks of other scripts are vowels. */
const ACCENTED = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{M}\p{N}]+$/u;

/** Letters that Unicode does not decompose but that are commonly written without their mark. */
const PLAIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  æ: 'ae',
  œ: 'oe',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
};
const STROKED = /[ßøæœłđðþ]/g;

function withoutAccents(word: string): string {
  if (!NOT_ASCII.test(word) || !ACCENTED.test(word)) return word;
  const bare = word.normalize('NFD').replace(MARKS, '').normalize('NFC');
  return bare.replace(STROKED, (letter) => PLAIN[letter]!);
}
