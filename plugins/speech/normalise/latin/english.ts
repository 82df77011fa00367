/** English words by the CMU pronouncing dictionary; loaded when a text has a word that our list lacks. */
import { soundsOfPhonemes } from './phonemes.js';
import { join } from './sounds.js';

let dictionary: Readonly<Record<string, string>> = {};

/** Call before the first `pronounced`: 135,000 words, about 20 MB. */
export async function loadEnglish(): Promise<void> {
  ({ dictionary } = await import('cmu-pronouncing-dictionary'));
}

/** The word in Hangul, as loanwords are written; undefined if the dictionary lacks it. `word` is in lower case. */
export function pronounced(word: string): string | undefined {
  const entry = Object.hasOwn(dictionary, word) ? dictionary[word] : undefined;
  // Some entries have a comment: AA1 L T OW2 # name, finnish.
  const phonemes = entry?.split(' #', 1)[0];
  return phonemes === undefined ? undefined : join(soundsOfPhonemes(phonemes, word));
}
