/** Latin words: listed words, acronyms letter by letter, and all others as English. */
import { spell } from '../../korean/letters.js';
import { pronounced } from './english.js';
import { soundOut } from './sounds.js';
import words from './words.json' with { type: 'json' };

const WORDS = new Map(Object.entries(words));
/** Longer capitals are words, shorter ones letters: FBI, SAMSUNG. */
const LONGEST_ACRONYM = 5;

/** The listed reading; case is ignored. */
export function listed(text: string): string | undefined {
  return WORDS.get(text.toLowerCase());
}

/** A listed word, also in the plural. */
export function wordReading(text: string): string | undefined {
  return listed(text) ?? (isCapitals(text) ? undefined : soundsOf(text));
}

/** Any run of letters. */
export function readLatin(text: string): string {
  const known = listed(text);
  if (known !== undefined) return known;
  if (isCapitals(text) && (text.length <= LONGEST_ACRONYM || !hasVowel(text))) return spell(text);
  // PowerPoint is two words, and so is KBSNews.
  const parts = text.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[A-Z]|[^A-Za-z]/g) ?? [text];
  if (parts.length > 1) return parts.map((part) => readLatin(part)).join('');
  return soundsOf(text) ?? spell(text);
}

/** Undefined for text without a vowel: kt, mph. */
function soundsOf(text: string): string | undefined {
  if (text.length < 3 || !hasVowel(text)) return undefined;
  const word = text.toLowerCase();
  return pronounced(word) ?? soundOut(word);
}

function isCapitals(text: string): boolean {
  return text === text.toUpperCase();
}

function hasVowel(text: string): boolean {
  return /[aeiouy]/i.test(text);
}
