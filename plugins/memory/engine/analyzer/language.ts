/** The languages whose words have stems here, and which of them a text is in. */
import { createRequire } from 'node:module';
import type Snowball from 'snowball-stemmers';
import { arabicStem } from './arabic.js';
import { germanEnding } from './german.js';
import lists from './stop-words.json' with { type: 'json' };

export type Language = keyof typeof lists;

export const DEFAULT_LANGUAGE: Language = 'english';

/** Languages of other scripts: a word shows them by itself. */
const BY_SCRIPT: readonly (readonly [Language, RegExp])[] = [
  ['arabic', /^\p{Script=Arabic}/u],
  ['russian', /^\p{Script=Cyrillic}/u],
];

/** Their scripts begin after this code point. */
const FIRST_OTHER = 0x370;

/** A letter that these languages have and English has not; the fewer of them have it, the more it says. */
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

/** Which of the words are stop words of which Latin language. */
const languagesOf = new Map<string, Language[]>();
for (const [language, words] of latin) {
  for (const word of words) {
    const known = languagesOf.get(word);
    if (known === undefined) languagesOf.set(word, [language]);
    else known.push(language);
  }
}

/**
 * The language of a text in Latin letters, by its stop words and its letters: the language with the most of them.
 * Undefined where nothing tells. English wins what is even.
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

/** The language that a word's script shows; undefined for Latin and for scripts without a stemmer. */
export function languageByScript(word: string): Language | undefined {
  if (word.charCodeAt(0) < FIRST_OTHER) return undefined;
  return BY_SCRIPT.find(([, script]) => script.test(word))?.[0];
}

export function isStopWord(word: string, language: Language): boolean {
  return stopWords.get(language)?.has(word) === true;
}

const NOT_ASCII = /[^\u0000-\u007f]/;
const MARKS = /\p{M}+/gu;
/** The alphabets that the stemmers know; other Latin words lose their accents and nothing else. */
const STEMMED_ASCII = /^[a-z]{3,40}$/;
const STEMMED = /^\p{L}{3,40}$/u;
/** Stemming takes microseconds and words come again. */
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

/** Loaded by the first stem: 0.16 s that a start without memories need not wait for. */
function snowball(): typeof Snowball {
  return createRequire(import.meta.url)('snowball-stemmers') as typeof Snowball;
}

/** Two generations: the older half is forgotten at once. To order words by their last use took a tenth of a start. */
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

/** Marks of other scripts are vowels. */
const ACCENTED = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{M}\p{N}]+$/u;

/** Letters that are no letter with an accent to Unicode, and are written without all the same. */
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
