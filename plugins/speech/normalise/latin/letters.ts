/** Latin letters and words, with their digits and signs: Wi-Fi, 5G, F-16, A+, 2nd. */
import { spell } from '../../korean/letters.js';
import { byDigit, sino } from '../../korean/numbers.js';
import { isSymbol, textOf, type Rule } from '../tokens/rule.js';
import type { Token } from '../tokens/tokens.js';
import signs from './signs.json' with { type: 'json' };
import { listed, readLatin } from './words.js';

/** Tokens of the longest listed word: Wi-Fi, COVID-19. */
const LONGEST_WORD = 3;
const ABBREVIATED = new Set([
  'Dr',
  'Mr',
  'Mrs',
  'Ms',
  'vs',
  'etc',
  'St',
  'Jr',
  'No',
  'Prof',
  'Inc',
  'Ltd',
  'Co',
  'Corp',
  'Vol',
  'vol',
  'no',
]);
/** English numbers after the letters of a name: A4 에이포. */
const DIGITS: readonly string[] = signs.digits;
const ORDINALS: Readonly<Record<string, string>> = signs.ordinals;
const ROMAN: Readonly<Record<string, number>> = signs.roman;

/** Words of more than one token, and words that begin with a digit. */
export const listedWord: Rule = {
  name: 'word',
  read(tokens, at) {
    if (tokens[at]?.kind !== 'latin' && tokens[at]?.kind !== 'digits') return undefined;
    if (isNamePart(tokens[at - 1])) return undefined;
    for (let length = LONGEST_WORD; length > 0; length -= 1) {
      const parts = tokens.slice(at, at + length);
      if (parts.length < length || isNamePart(tokens[at + length])) continue;
      const text = parts.map((part) => part.text).join('');
      const reading = /^no$/i.test(text) && isNumbered(tokens, at + 1) ? '넘버' : listed(text);
      // 3m is a measure, 3M a company.
      if (reading === undefined || /^\d+[mg]?$/.test(text)) continue;
      // The point of an abbreviation does not end a sentence: Dr. Kim.
      const point = ABBREVIATED.has(parts[0]?.text ?? '') && isSymbol(tokens[at + length], '.') ? 1 : 0;
      return { take: length + point, text: reading };
    }
    return undefined;
  },
};

/** No. 5. */
function isNumbered(tokens: readonly Token[], at: number): boolean {
  const next = tokens[at + 1]?.kind === 'space' ? at + 2 : at + 1;
  return isSymbol(tokens[at], '.') && tokens[next]?.kind === 'digits';
}

function isNamePart(token: Token | undefined): boolean {
  return token?.kind === 'latin' || token?.kind === 'digits';
}

/** 1st, 2nd, 21st. */
export const ordinal: Rule = {
  name: 'ordinal',
  read(tokens, at) {
    const digits = textOf(tokens[at], 'digits');
    const ending = textOf(tokens[at + 1], 'latin')?.toLowerCase();
    if (digits === undefined || !/^(?:st|nd|rd|th)$/.test(ending ?? '')) return undefined;
    return { take: 2, text: ORDINALS[digits] ?? `${sino(digits)}번째` };
  },
};

/** M&A, R&D: single letters and an ampersand. */
export const ampersand: Rule = {
  name: 'letters',
  read(tokens, at) {
    const left = textOf(tokens[at], 'latin') ?? '';
    const right = textOf(tokens[at + 2], 'latin') ?? '';
    if (!isSymbol(tokens[at + 1], '&') || left.length > 2 || right.length > 2 || right === '')
      return undefined;
    if (left !== left.toUpperCase() || right !== right.toUpperCase() || left === '') return undefined;
    return { take: 3, text: `${spell(left)}앤${spell(right)}` };
  },
};

/** A4, G7, K-9, F-16, H2O: letters followed by a number. */
export const model: Rule = {
  name: 'letters',
  read(tokens, at) {
    const letters = textOf(tokens[at], 'latin');
    if (letters === undefined || letters.length > 4 || letters !== letters.toUpperCase()) return undefined;
    const hyphen = isSymbol(tokens[at + 1], '-') ? 1 : 0;
    const digits = textOf(tokens[at + 1 + hyphen], 'digits');
    if (digits === undefined || digits.length > 4 || isSymbol(tokens[at + 2 + hyphen], '-.'))
      return undefined;
    const name = listed(letters) ?? spell(letters);
    const isEnglish = digits.length === 1 && hyphen === 0;
    return {
      take: 2 + hyphen,
      text: `${name}${isEnglish ? (DIGITS[Number(digits)] ?? '') : numberOf(digits)}`,
    };
  },
};

function numberOf(digits: string): string {
  return digits.startsWith('0') ? byDigit(digits) : sino(digits).replaceAll(' ', '');
}

/** A+, B-: a school grade. */
export const grade: Rule = {
  name: 'grade',
  read(tokens, at) {
    const letters = textOf(tokens[at], 'latin') ?? '';
    const sign = tokens[at + 1];
    if (!/^[A-F]{1,3}$/.test(letters) || !isSymbol(sign, '+-')) return undefined;
    const next = tokens[at + 2];
    if (isNamePart(next) || isSymbol(next, '=-+')) return undefined;
    if (isSymbol(sign, '-') && next !== undefined && next.kind === 'hangul' && next.text.length > 2)
      return undefined;
    return { take: 2, text: `${spell(letters)}${isSymbol(sign, '+') ? '플러스' : '마이너스'}` };
  },
};

/** 루이 XIV, 제II차, World War II: Roman numerals of kings, parts or products. */
export const roman: Rule = {
  name: 'numeral',
  read(tokens, at) {
    const value = ROMAN[textOf(tokens[at], 'latin') ?? ''];
    if (value === undefined || isNamePart(tokens[at - 1]) || isNamePart(tokens[at + 1])) return undefined;
    const before = tokens[at - 1]?.kind === 'space' ? tokens[at - 2] : tokens[at - 1];
    const left = textOf(before, 'hangul') ?? '';
    const joined = textOf(tokens[at + 1], 'hangul') ?? '';
    if (left.endsWith('제') || signs.romanAfter.some((word) => joined.startsWith(word)))
      return { take: 1, text: sino(String(value)) };
    if (signs.kings.some((king) => left.endsWith(king)))
      return { take: 1, text: `${sino(String(value))}${joined.startsWith('세') ? '' : '세'}` };
    const isNumbered = signs.romanBefore.some((word) => left.endsWith(word));
    return isNumbered ? { take: 1, text: sino(String(value)) } : undefined;
  },
};

/** All other Latin. */
export const letters: Rule = {
  name: 'letters',
  read(tokens, at) {
    const text = textOf(tokens[at], 'latin');
    return text === undefined ? undefined : { take: 1, text: readLatin(text) };
  },
};
