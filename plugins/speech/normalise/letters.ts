/** Latin letters and words, addresses of the web and of mail, and single jamo. */
import { byDigit } from '../korean/numbers.js';
import { isSymbol, textOf, type Rule } from './rule.js';
import symbols from './symbols.json' with { type: 'json' };
import type { Token } from './tokens.js';
import words from './words.json' with { type: 'json' };

const LETTERS: Readonly<Record<string, string>> = symbols.letters;
const JAMO: Readonly<Record<string, string>> = symbols.jamo;
const LAUGHTER: Readonly<Record<string, string>> = symbols.laughter;
const ADDRESS: Readonly<Record<string, string>> = symbols.address;
const WORDS = new Map(Object.entries(words));
/** The most tokens of a listed word: Wi-Fi, COVID-19. */
const LONGEST_WORD = 3;
/** The most tokens of an address; what is longer is read as letters and signs. */
const LONGEST_ADDRESS = 256;
/** Repeated jamo beyond these are not said: ㅋㅋㅋㅋㅋㅋ. */
const MOST_LAUGHTER = 3;

/** https://example.com/a and name@example.com, sign by sign; the scheme is left out. */
export const address: Rule = {
  name: 'address',
  read(tokens, at) {
    // From the start of a run alone, so that each run is read once.
    if (!isAddressPart(tokens[at]) || isAddressPart(tokens[at - 1])) return undefined;
    let end = at;
    while (isAddressPart(tokens[end])) {
      end += 1;
      if (end - at > LONGEST_ADDRESS) return undefined;
    }
    // What ends a sentence does not belong to the address before it.
    while (end > at && isSymbol(tokens[end - 1], '.,?!:')) end -= 1;
    const parts = tokens.slice(at, end);
    const scheme = parts.findIndex(
      (part, index) => part.text === ':' && parts[index + 1]?.text === '/' && parts[index + 2]?.text === '/',
    );
    const isWeb = scheme === 1 || (parts[0]?.text.toLowerCase() === 'www' && parts[1]?.text === '.');
    const isMail = parts[0]?.kind !== 'symbol' && parts.slice(1, -1).some(({ text }) => text === '@');
    if (!isWeb && !isMail) return undefined;
    const spoken = parts.slice(scheme === 1 ? 4 : 0).map(readPart);
    return { take: end - at, text: spoken.join(' ') };
  },
};

function isAddressPart(token: Token | undefined): boolean {
  return (
    token?.kind === 'latin' ||
    token?.kind === 'digits' ||
    (token?.kind === 'symbol' && (token.text in ADDRESS || token.text === ','))
  );
}

function readPart({ kind, text }: Token): string {
  if (kind === 'digits') return byDigit(text);
  if (kind === 'latin') return WORDS.get(text.toLowerCase()) ?? spell(text);
  return ADDRESS[text] ?? '';
}

/** Words of more than one token, and words that begin with a digit: Wi-Fi, 5G, A4. */
export const listedWord: Rule = {
  name: 'word',
  read(tokens, at) {
    if (tokens[at]?.kind !== 'latin' && tokens[at]?.kind !== 'digits') return undefined;
    if (isNamePart(tokens[at - 1])) return undefined;
    for (let length = LONGEST_WORD; length > 0; length -= 1) {
      const parts = tokens.slice(at, at + length);
      if (parts.length < length || isNamePart(tokens[at + length])) continue;
      const reading = WORDS.get(
        parts
          .map(({ text }) => text)
          .join('')
          .toLowerCase(),
      );
      if (reading === undefined) continue;
      // The point of an abbreviation ends no sentence: Dr. Kim.
      const point = ABBREVIATED.has(parts[0]?.text ?? '') && isSymbol(tokens[at + length], '.') ? 1 : 0;
      return { take: length + point, text: reading };
    }
    return undefined;
  },
};

const ABBREVIATED = new Set(['Dr', 'Mr', 'Mrs', 'Ms', 'vs', 'etc']);

function isNamePart(token: Token | undefined): boolean {
  return token?.kind === 'latin' || token?.kind === 'digits';
}

/** All other Latin, letter by letter. */
export const spelled: Rule = {
  name: 'letters',
  read(tokens, at) {
    const text = textOf(tokens[at], 'latin');
    if (text === undefined) return undefined;
    const listed = WORDS.get(text.toLowerCase());
    return { take: 1, text: listed ?? spell(text) };
  },
};

export function spell(text: string): string {
  let reading = '';
  for (const letter of text)
    reading += LETTERS[letter.toLowerCase()] ?? (letter === 'μ' ? '뮤' : letter === 'Ω' ? '오메가' : '');
  return reading;
}

/** ㅋㅋ is laughter; a single ㄱ has a name. */
export const jamo: Rule = {
  name: 'jamo',
  read(tokens, at) {
    const text = textOf(tokens[at], 'jamo');
    if (text === undefined) return undefined;
    const first = text.charAt(0);
    const isRepeated = text.length > 1 && Array.from(text).every((letter) => letter in LAUGHTER);
    if (!isRepeated) return { take: 1, text: Array.from(text, (letter) => JAMO[letter] ?? '').join(' ') };
    const shown = Array.from(text).slice(0, MOST_LAUGHTER);
    return { take: 1, text: shown.map((letter) => LAUGHTER[letter] ?? first).join('') };
  },
};
