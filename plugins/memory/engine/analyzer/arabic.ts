/**
 * Arabic stems: light10 (Larkey, Ballesteros and Connell, "Light Stemming for Arabic Information Retrieval", 2007),
 * then long vowels are removed as well. Plurals change vowels inside the word (kitab, kutub), which no suffix rule
 * undoes.
 */

const MARKS = /[\p{M}\u0640]+/gu;
const PREFIX = /^(?:وال|بال|كال|فال|لل|ال)(?=.{2})/u;
const CONJUNCTION = /^و(?=.{3})/u;
const SUFFIX = /(?<=.{2})(?:ها|ان|ات|ون|ين|يه|ية|ه|ة|ي)$/u;
const LONG_VOWELS = /[اويىآأإؤئء]/gu;
/** A stem with fewer consonants is too ambiguous. */
const LEAST = 2;

/** The stem of a word; accepts any presentation form of its letters. */
export function arabicStem(word: string): string {
  const letters = word.replace(MARKS, '').replace(/[أإآ]/g, 'ا').replace(/ى/g, 'ي');
  const bare = letters.replace(CONJUNCTION, '').replace(PREFIX, '').replace(SUFFIX, '');
  const consonants = bare.replace(LONG_VOWELS, '');
  return consonants.length < LEAST ? bare : consonants;
}
