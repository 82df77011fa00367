/** Numbers followed by a counter: 세 개, 삼월, 열두 시. */
import { byDigit, native, sino } from '../../korean/numbers.js';
import { isSymbol, textOf, type Rule } from '../tokens/rule.js';
import type { Token } from '../tokens/tokens.js';
import counters from './counters.json' with { type: 'json' };
import { literalAt, readLiteral } from './literal.js';
import { senseOf } from './sense.js';
import { closing, DATES } from './spans.js';

const NATIVE = longestFirst(counters.native);
const JOINED = longestFirst(counters.joined);
/** Words that begin like a counter: native ones, and the others. */
const NEVER = counters.never;
const OTHER = counters.other;
const FIXED: Readonly<Record<string, string>> = counters.fixed;
const PARTICLES = ['의', '을', '를', '은', '는', '이', '가', '로', '짜리'];
const SPECIAL: Readonly<Record<string, Readonly<Record<string, string>>>> = counters.special;
/** Counters whose two-digit numbers are read digit by digit: 02학번, 86세대. */
const BY_DIGIT = ['학번', '세대'];
/** Old forms of three and four before some nouns: 서 말, 석 되. */
const OLD: Readonly<Record<string, readonly [string, string]>> = {
  말: ['서', '너'],
  돈: ['서', '너'],
  냥: ['석', '넉'],
  되: ['석', '넉'],
  섬: ['석', '넉'],
};

export const counter: Rule = {
  name: 'counter',
  read(tokens, at) {
    const literal = literalAt(tokens, at);
    if (literal === undefined || literal.fraction !== undefined) return undefined;
    const spaced = tokens[at + literal.take]?.kind === 'space' ? 1 : 0;
    const wordAt = at + literal.take + spaced;
    const word = textOf(tokens[wordAt], 'hangul') ?? '';
    if (literal.integer === '19' && textOf(tokens[at - 1], 'hangul')?.endsWith('코로나') === true)
      return { take: literal.take, text: '일구' };
    const fixed = fixedAt(literal.integer, word);
    if (fixed !== undefined) return { take: literal.take + spaced + (word === '' ? 0 : 1), text: fixed };
    const more = aboutSo(literal.integer, word);
    if (more !== undefined) return { take: literal.take + spaced + 1, text: more };
    const found = counterIn(word);
    if (found === undefined || !isMonth(literal.integer, found)) return undefined;
    const text = countWith(literal.integer, found, { tokens, from: at, to: wordAt + 1 });
    const isDate = found.rest === '' && DATES.includes(found.counter) && beginsDate(tokens, at);
    const end = isDate ? closing(tokens, at, wordAt + 1) : '';
    return { take: literal.take + spaced + 1, text: text + end + found.rest };
  },
};

/** 38선, 386세대: names that are read digit by digit. */
function fixedAt(digits: string, word: string): string | undefined {
  const name = Object.keys(FIXED).find(
    (key) => `${digits}${word}`.startsWith(key) && key.length > digits.length,
  );
  return name === undefined ? undefined : (FIXED[name] ?? '') + `${digits}${word}`.slice(name.length);
}

/** Whether a `~` precedes the number; a hyphen joins names. */
function beginsDate(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1]?.kind === 'space' ? at - 2 : at - 1;
  const unit = tokens[before - 1]?.kind === 'space' ? before - 2 : before - 1;
  return isSymbol(tokens[before], '~〜') && (tokens[unit]?.kind === 'hangul' || isSymbol(tokens[unit], ')'));
}

/** 10여 명, 20여개: a few more than ten. */
function aboutSo(digits: string, word: string): string | undefined {
  if (word !== '여' && !(word.startsWith('여') && counterIn(word.slice(1)) !== undefined)) return undefined;
  return `${sino(digits)}여${word.length > 1 ? ` ${word.slice(1)}` : ''}`;
}

/** The month is the only counter with a maximum; 2002 월드컵 counts nothing. */
function isMonth(digits: string, { counter: name }: Found): boolean {
  return name !== '월' || (Number(digits) >= 1 && Number(digits) <= 12);
}

export interface Found {
  readonly counter: string;
  /** What follows the counter in its word. */
  readonly rest: string;
  readonly isNative: boolean;
}

/** The longest counter at the start of the word, unless it is another word. */
export function counterIn(word: string): Found | undefined {
  if (word === '') return undefined;
  const old = Object.keys(OLD).find(
    (name) => word === name || (PARTICLES.includes(word.slice(name.length)) && word.startsWith(name)),
  );
  if (old !== undefined) return { counter: old, rest: word.slice(old.length), isNative: true };
  const joined = OTHER.some((other) => word.startsWith(other))
    ? undefined
    : JOINED.find((name) => word.startsWith(name));
  const own = NEVER.some((other) => word.startsWith(other))
    ? undefined
    : NATIVE.find((name) => word.startsWith(name));
  const isNative = own !== undefined && own.length >= (joined?.length ?? 0);
  const name = isNative ? own : joined;
  return name === undefined ? undefined : { counter: name, rest: word.slice(name.length), isNative };
}

/** `from` is the index of the number, `to` that after the counter's word. */
export interface Place {
  readonly tokens: readonly Token[];
  readonly from: number;
  readonly to: number;
}

/** The number and its counter, without the rest of the counter's word. */
export function countWith(digits: string, found: Found, place: Place): string {
  const { counter: name } = found;
  const special = SPECIAL[name]?.[digits];
  if (special !== undefined) return special + (name === '번째' ? ' ' : '') + name;
  if (BY_DIGIT.includes(name) && digits.length === 2) return `${byDigit(digits)}${name}`;
  if (name === '시간' && ['24', '36', '48', '72'].includes(digits)) return `${sino(digits)} 시간`;
  const isNative = isCounted(digits, found, place);
  const count = isNative ? (oldForm(digits, name) ?? native(digits)) : undefined;
  if (count !== undefined) return `${count} ${name}`;
  return found.isNative ? `${sino(digits)} ${name}` : `${sino(digits)}${name}`;
}

/** Whether the number is native before this counter here. */
export function isCounted(digits: string, found: Found, { tokens, from, to }: Place): boolean {
  const { counter: name, rest, isNative } = found;
  const sense = senseOf(tokens, { digits, counter: name, rest, from, to });
  return sense === undefined ? isNative : sense === 'native';
}

function oldForm(digits: string, name: string): string | undefined {
  const forms = OLD[name];
  return digits === '3' ? forms?.[0] : digits === '4' ? forms?.[1] : undefined;
}

function longestFirst(names: readonly string[]): readonly string[] {
  return [...names].sort((a, b) => b.length - a.length);
}

/** A number that no other rule reads. */
export const plainNumber: Rule = {
  name: 'number',
  read(tokens, at) {
    const literal = literalAt(tokens, at);
    return literal && { take: literal.take, text: readLiteral(literal) };
  },
};

/** Ⅲ장, 제Ⅱ형, ③: a numeral is a name. */
export const numeral: Rule = {
  name: 'numeral',
  read(tokens, at) {
    const digits = textOf(tokens[at], 'numeral');
    return digits === undefined ? undefined : { take: 1, text: sino(digits) };
  },
};
