/**
 * The Porter stemmer: M. F. Porter, "An algorithm for suffix stripping", Program 14 (1980), with the departures
 * of its author's published version (bli for abli, logi).
 */

/** The stem of a lower-case word of a to z; a word with anything else in it, or of two letters, is its own stem. */
export function stem(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word;
  let stemmed = withoutPlural(word);
  stemmed = withoutPastOrGerund(stemmed);
  if (stemmed.endsWith('y') && hasVowel(stemmed.slice(0, -1))) stemmed = `${stemmed.slice(0, -1)}i`;
  stemmed = replaceSuffix(stemmed, DOUBLE_SUFFIXES);
  stemmed = replaceSuffix(stemmed, FULL_SUFFIXES);
  stemmed = withoutLastSuffix(stemmed);
  return tidied(stemmed);
}

// Suffix rules are looked up by the suffix, longest first; each asks that the rest has a measure above 0.
type Rules = readonly (readonly [suffix: string, replacement: string])[];

const DOUBLE_SUFFIXES: Rules = [
  ['ational', 'ate'],
  ['ization', 'ize'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['tional', 'tion'],
  ['biliti', 'ble'],
  ['entli', 'ent'],
  ['ousli', 'ous'],
  ['ation', 'ate'],
  ['alism', 'al'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['alli', 'al'],
  ['ator', 'ate'],
  ['logi', 'log'],
  ['bli', 'ble'],
  ['eli', 'e'],
];

const FULL_SUFFIXES: Rules = [
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ness', ''],
  ['ful', ''],
];

const LAST_SUFFIXES = [
  ...['ement', 'ance', 'ence', 'able', 'ible', 'ment'],
  ...['ant', 'ent', 'ion', 'ism', 'ate', 'iti', 'ous', 'ive', 'ize'],
  ...['al', 'er', 'ic', 'ou'],
];

/** Step 1a. */
function withoutPlural(word: string): string {
  if (!word.endsWith('s')) return word;
  if (word.endsWith('sses') || word.endsWith('ies')) return word.slice(0, -2);
  return word.endsWith('ss') ? word : word.slice(0, -1);
}

/** Step 1b. */
function withoutPastOrGerund(word: string): string {
  if (word.endsWith('eed')) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  const rest = word.endsWith('ed') ? word.slice(0, -2) : word.endsWith('ing') ? word.slice(0, -3) : undefined;
  if (rest === undefined || !hasVowel(rest)) return word;
  if (/(?:at|bl|iz)$/.test(rest)) return `${rest}e`;
  if (endsInDoubleConsonant(rest) && !/[lsz]$/.test(rest)) return rest.slice(0, -1);
  return measure(rest) === 1 && endsInShortSyllable(rest) ? `${rest}e` : rest;
}

/** Steps 2 and 3. */
function replaceSuffix(word: string, rules: Rules): string {
  const rule = rules.find(([suffix]) => word.endsWith(suffix));
  if (rule === undefined) return word;
  const rest = word.slice(0, -rule[0].length);
  return measure(rest) > 0 ? rest + rule[1] : word;
}

/** Step 4. */
function withoutLastSuffix(word: string): string {
  const suffix = LAST_SUFFIXES.find((candidate) => word.endsWith(candidate));
  if (suffix === undefined) return word;
  const rest = word.slice(0, -suffix.length);
  if (measure(rest) < 2 || (suffix === 'ion' && !/[st]$/.test(rest))) return word;
  return rest;
}

/** Step 5. */
function tidied(word: string): string {
  let result = word;
  if (result.endsWith('e')) {
    const rest = result.slice(0, -1);
    const turns = measure(rest);
    if (turns > 1 || (turns === 1 && !endsInShortSyllable(rest))) result = rest;
  }
  return result.endsWith('ll') && measure(result) > 1 ? result.slice(0, -1) : result;
}

/** How often a vowel sequence is followed by a consonant sequence: m in [C](VC)^m[V]. */
function measure(word: string): number {
  let turns = 0;
  let vowelBefore = false;
  for (let at = 0; at < word.length; at++) {
    const vowel = isVowel(word, at);
    if (vowelBefore && !vowel) turns++;
    vowelBefore = vowel;
  }
  return turns;
}

function hasVowel(word: string): boolean {
  for (let at = 0; at < word.length; at++) if (isVowel(word, at)) return true;
  return false;
}

/** `y` is a vowel after a consonant. */
function isVowel(word: string, at: number): boolean {
  switch (word[at]) {
    case 'a':
    case 'e':
    case 'i':
    case 'o':
    case 'u':
      return true;
    case 'y':
      return at > 0 && !isVowel(word, at - 1);
    default:
      return false;
  }
}

function endsInDoubleConsonant(word: string): boolean {
  const last = word.length - 1;
  return last > 0 && word[last] === word[last - 1] && !isVowel(word, last);
}

/** Consonant, vowel, consonant, of which the last is not w, x or y. */
function endsInShortSyllable(word: string): boolean {
  const last = word.length - 1;
  return (
    last > 1 &&
    !isVowel(word, last) &&
    isVowel(word, last - 1) &&
    !isVowel(word, last - 2) &&
    !/[wxy]$/.test(word)
  );
}
