/** Numbers with a counter behind them: 세 개, 삼월, 열두 시. */
import { native, sino } from '../korean/numbers.js';
import counters from './counters.json' with { type: 'json' };
import { literalAt, readLiteral } from './literal.js';
import { isSymbol, textOf, type Rule } from './rule.js';
import type { Token } from './tokens.js';

const NATIVE = longestFirst(counters.native);
const JOINED = longestFirst(counters.joined);
const NEVER = counters.never;
/** Numbers before these are addresses, and before 로 scores: 12-3번지, 3-2로. */
const HOUSES = new Set(counters.houses);
const SINO_BEFORE: Readonly<Record<string, readonly string[]>> = counters.sinoBefore;
const SPECIAL: Readonly<Record<string, Readonly<Record<string, string>>>> = counters.special;

export const counter: Rule = {
  name: 'counter',
  read(tokens, at) {
    const literal = literalAt(tokens, at);
    if (literal === undefined || literal.fraction !== undefined) return undefined;
    const spaced = tokens[at + literal.take]?.kind === 'space' ? 1 : 0;
    const found = counterIn(textOf(tokens[at + literal.take + spaced], 'hangul') ?? '');
    if (found === undefined || !isMonth(literal.integer, found)) return undefined;
    const text = countWith(literal.integer, found, tokens, at);
    return { take: literal.take + spaced + 1, text: text + found.rest };
  },
};

/** The month is the only counter that has a last number; 2002 월드컵 counts nothing. */
function isMonth(digits: string, { counter: name }: Found): boolean {
  return name !== '월' || (Number(digits) >= 1 && Number(digits) <= 12);
}

/** 9시~18시, 3월 ~ 5월, 10%~20%, 9:00~18:00: the sign behind a number that has been read with what belongs to it. */
export const span: Rule = {
  name: 'span',
  read(tokens, at) {
    const before = tokens[at - 1]?.kind === 'space' ? at - 2 : at - 1;
    const next = skipSpace(tokens, at + 1);
    const isSpan = isSymbol(tokens[at], '~∼〜')
      ? endsNumber(tokens, before) && beginsNumber(tokens[next])
      : isSymbol(tokens[at], '-–') && isClock(tokens, before - 2) && isClock(tokens, next);
    return isSpan ? { take: next - at, text: '에서 ' } : undefined;
  },
};

function endsNumber(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  if (token?.kind === 'digits') return true;
  return (token?.kind === 'hangul' || isUnit(token)) && tokens[at - 1]?.kind === 'digits';
}

function beginsNumber(token: Token | undefined): boolean {
  return token?.kind === 'hangul' || token?.kind === 'digits' || isSymbol(token, '₩$€¥£');
}

function isClock(tokens: readonly Token[], at: number): boolean {
  return tokens[at]?.kind === 'digits' && isSymbol(tokens[at + 1], ':') && tokens[at + 2]?.kind === 'digits';
}

/** `3~5명`: the counter is said with both numbers, so that both are native. */
export const range: Rule = {
  name: 'range',
  read(tokens, at) {
    const low = literalAt(tokens, at);
    if (low === undefined) return undefined;
    const between = skipSpace(tokens, at + low.take);
    if (!isSymbol(tokens[between], '~∼〜–-')) return undefined;
    const second = skipSpace(tokens, between + 1);
    const high = literalAt(tokens, second);
    if (high === undefined) return undefined;
    const behind = second + high.take;
    const spaced = tokens[behind]?.kind === 'space' ? 1 : 0;
    const found =
      high.fraction === undefined && low.fraction === undefined
        ? counterIn(textOf(tokens[behind + spaced], 'hangul') ?? '')
        : undefined;
    const isHyphen = isSymbol(tokens[between], '-');
    if (found !== undefined && !(isHyphen && HOUSES.has(found.counter))) {
      const from = countWith(low.integer, found, tokens, at);
      const to = countWith(high.integer, found, tokens, second);
      return { take: behind + spaced + 1 - at, text: `${from}에서 ${to}${found.rest}` };
    }
    // A hyphen joins numbers that name something; only ~ and – always mean a range.
    if (isHyphen && !isUnit(tokens[behind])) return undefined;
    return { take: second - at, text: `${readLiteral(low)}에서 ` };
  },
};

function isUnit(token: Token | undefined): boolean {
  return token?.kind === 'latin' || isSymbol(token, '%℃°');
}

function skipSpace(tokens: readonly Token[], at: number): number {
  return tokens[at]?.kind === 'space' ? at + 1 : at;
}

interface Found {
  readonly counter: string;
  /** What follows the counter in its word. */
  readonly rest: string;
  readonly isNative: boolean;
}

function counterIn(word: string): Found | undefined {
  const joined = JOINED.find((name) => word.startsWith(name));
  const own = NEVER.some((other) => word.startsWith(other))
    ? undefined
    : NATIVE.find((name) => word.startsWith(name));
  const isNative = own !== undefined && own.length >= (joined?.length ?? 0);
  const name = isNative ? own : joined;
  return name === undefined ? undefined : { counter: name, rest: word.slice(name.length), isNative };
}

function countWith(digits: string, found: Found, tokens: readonly Token[], at: number): string {
  const { counter: name, isNative } = found;
  const special = SPECIAL[name]?.[digits];
  if (special !== undefined) return special + (name === '번째' ? ' ' : '') + name;
  const count = isNative && !isNamed(digits, found, tokens, at) ? native(digits) : undefined;
  if (count !== undefined) return `${count} ${name}`;
  return isNative ? `${sino(digits)} ${name}` : `${sino(digits)}${name}`;
}

/** Where the number names rather than counts: 제3장, 14시, 20대, 3번 출구. */
function isNamed(
  digits: string,
  { counter: name, rest }: Found,
  tokens: readonly Token[],
  at: number,
): boolean {
  if (textOf(tokens[at - 1], 'hangul')?.endsWith('제') === true) return true;
  if (name === '시') return Number(digits) > 12;
  if (name === '대') return digits.length === 2 && digits.endsWith('0');
  const followers = SINO_BEFORE[name];
  if (followers === undefined || rest !== '') return false;
  const next = textOf(tokens[at + 3], 'hangul') ?? '';
  return followers.some((follower) => next.startsWith(follower));
}

function longestFirst(names: readonly string[]): readonly string[] {
  return [...names].sort((a, b) => b.length - a.length);
}

/** A number with no more to say about it. */
export const plainNumber: Rule = {
  name: 'number',
  read(tokens, at) {
    const literal = literalAt(tokens, at);
    return literal && { take: literal.take, text: readLiteral(literal) };
  },
};
