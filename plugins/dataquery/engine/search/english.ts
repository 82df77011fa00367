/** The stem of an English word: the Porter2 algorithm (https://snowballstem.org/algorithms/english/stemmer.html). */

/** `word` is in lower case and without apostrophes. */
export function englishStem(word: string): string {
  if (word.length <= 2) return word;
  const exception = EXCEPTIONS.get(word);
  if (exception !== undefined) return exception;
  let stem = step1a(word.replace(/^y|([aeiouy])y/g, (found) => `${found.slice(0, -1)}Y`));
  if (FINISHED.has(stem)) return stem;
  const prefix = /^(gener|commun|arsen)/.exec(stem)?.[0].length;
  const r1 = prefix ?? regionAfter(stem, 0);
  const r2 = regionAfter(stem, r1);
  stem = step1b(stem, r1);
  stem = stem.replace(/(.[^aeiouy])[yY]$/, '$1i');
  stem = replaceSuffix(stem, STEP_2, r1, r2);
  stem = replaceSuffix(stem, STEP_3, r1, r2);
  stem = replaceSuffix(stem, STEP_4, r2, r2);
  return step5(stem, r1, r2).toLowerCase();
}

const EXCEPTIONS: ReadonlyMap<string, string> = new Map([
  ['skis', 'ski'],
  ['skies', 'sky'],
  ['dying', 'die'],
  ['lying', 'lie'],
  ['tying', 'tie'],
  ['idly', 'idl'],
  ['gently', 'gentl'],
  ['ugly', 'ugli'],
  ['early', 'earli'],
  ['only', 'onli'],
  ['singly', 'singl'],
  ...['sky', 'news', 'howe', 'atlas', 'cosmos', 'bias', 'andes'].map((word): [string, string] => [
    word,
    word,
  ]),
]);

/** Words that are done after their plural has gone. */
const FINISHED: ReadonlySet<string> = new Set([
  'inning',
  'outing',
  'canning',
  'herring',
  'earring',
  'proceed',
  'exceed',
  'succeed',
]);

/** Where the region begins that follows the first consonant after a vowel. */
function regionAfter(word: string, from: number): number {
  const match = /[aeiouy][^aeiouy]/.exec(word.slice(from));
  return match === null ? word.length : from + match.index + 2;
}

/** Plurals. */
function step1a(word: string): string {
  if (word.endsWith('sses')) return word.slice(0, -2);
  if (/ie[ds]$/.test(word)) return word.slice(0, word.length > 4 ? -2 : -1);
  if (/(us|ss)$/.test(word)) return word;
  return /[aeiouy].+s$/.test(word) ? word.slice(0, -1) : word;
}

/** `-ed` and `-ing`. */
function step1b(word: string, r1: number): string {
  const [suffix] = /(eedly|ingly|edly|eed|ing|ed)$/.exec(word) ?? [];
  if (suffix === undefined) return word;
  const rest = word.slice(0, -suffix.length);
  if (suffix.startsWith('eed')) return rest.length >= r1 ? `${rest}ee` : word;
  if (!/[aeiouy]/.test(rest)) return word;
  if (/(at|bl|iz)$/.test(rest)) return `${rest}e`;
  if (/(bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(rest)) return rest.slice(0, -1);
  return r1 >= rest.length && endsInShortSyllable(rest) ? `${rest}e` : rest;
}

/** A vowel between consonants at the end, or at the beginning of a word of two letters. */
function endsInShortSyllable(word: string): boolean {
  return /([^aeiouy][aeiouy][^aeiouywxY]|^[aeiouy][^aeiouy])$/.test(word);
}

/** A suffix, and what takes its place; `before` must end what stands before it, `inR2` asks for the second region. */
interface Suffix {
  readonly end: string;
  readonly by: string;
  readonly before?: RegExp;
  readonly inR2?: true;
}

const STEP_2 = suffixes(
  { tional: 'tion', enci: 'ence', anci: 'ance', abli: 'able', entli: 'ent', izer: 'ize', ization: 'ize' },
  { ational: 'ate', ation: 'ate', ator: 'ate', alism: 'al', aliti: 'al', alli: 'al', fulness: 'ful' },
  { ousli: 'ous', ousness: 'ous', iveness: 'ive', iviti: 'ive', biliti: 'ble', bli: 'ble', fulli: 'ful' },
  { lessli: 'less' },
  [
    { end: 'ogi', by: 'og', before: /l$/ },
    { end: 'li', by: '', before: /[cdeghkmnrt]$/ },
  ],
);
const STEP_3 = suffixes(
  { tional: 'tion', ational: 'ate', alize: 'al', icate: 'ic', iciti: 'ic', ical: 'ic', ful: '', ness: '' },
  [{ end: 'ative', by: '', inR2: true }],
);
const STEP_4 = suffixes(
  { al: '', ance: '', ence: '', er: '', ic: '', able: '', ible: '', ant: '', ement: '', ment: '', ent: '' },
  { ism: '', ate: '', iti: '', ous: '', ive: '', ize: '' },
  [{ end: 'ion', by: '', before: /[st]$/ }],
);

/** The longest first: only that one is looked at. */
function suffixes(...parts: (Readonly<Record<string, string>> | readonly Suffix[])[]): Suffix[] {
  return parts
    .flatMap((part): readonly Suffix[] =>
      Array.isArray(part)
        ? (part as readonly Suffix[])
        : Object.entries(part).map(([end, by]) => ({ end, by: by as string })),
    )
    .toSorted((a, b) => b.end.length - a.end.length);
}

function replaceSuffix(word: string, list: readonly Suffix[], region: number, r2: number): string {
  const suffix = list.find(({ end }) => word.endsWith(end));
  if (suffix === undefined) return word;
  const rest = word.slice(0, -suffix.end.length);
  const fits = rest.length >= (suffix.inR2 === true ? r2 : region) && suffix.before?.test(rest) !== false;
  return fits ? rest + suffix.by : word;
}

function step5(word: string, r1: number, r2: number): string {
  const rest = word.slice(0, -1);
  if (word.endsWith('e')) {
    return rest.length >= r2 || (rest.length >= r1 && !endsInShortSyllable(rest)) ? rest : word;
  }
  return word.endsWith('ll') && rest.length >= r2 ? rest : word;
}
