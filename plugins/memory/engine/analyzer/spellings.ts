/** Other spellings of a word: umlauts written out, `Mueller` for `Müller`. */

const WRITTEN_OUT: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue' };
const UMLAUTS: Readonly<Record<string, string>> = { ae: 'ä', oe: 'ö', ue: 'ü' };
const LEAST = 4;

/** `word` is in lower case. Most words have none. */
export function spellingsOf(word: string): string[] {
  if (word.length < LEAST) return [];
  const out = word.replace(/[äöü]/g, (letter) => WRITTEN_OUT[letter]!);
  const back = word.replace(/ae|oe|ue/g, (letters) => UMLAUTS[letters]!);
  return [out, back].filter((spelling) => spelling !== word);
}
