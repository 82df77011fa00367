/** English words as the pronouncing dictionary of Carnegie Mellon University says them; loaded when a text has a word that our list lacks. */
import { soundsOfPhonemes } from './phonemes.js';
import { join } from './sounds.js';

let dictionary: Readonly<Record<string, string>> = {};

/** Before the first `pronounced`: 135,000 words, some 20 MB. */
export async function loadEnglish(): Promise<void> {
  ({ dictionary } = await import('cmu-pronouncing-dictionary'));
}

/** The word in Hangul, as loanwords are written; undefined for one that the dictionary lacks. `word` is in small letters. */
export function pronounced(word: string): string | undefined {
  const entry = Object.hasOwn(dictionary, word) ? dictionary[word] : undefined;
  // Some entries have a comment: AA1 L T OW2 # name, finnish.
  const phonemes = entry?.split(' #', 1)[0];
  return phonemes === undefined ? undefined : join(soundsOfPhonemes(phonemes, word));
}
