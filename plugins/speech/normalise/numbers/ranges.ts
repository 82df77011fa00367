/** Two numbers and a sign between them: 세 명에서 다섯 명, 서너 개, 아홉 시부터 여섯 시까지. */
import { sino } from '../../korean/numbers.js';
import { endsWithAny, skipSpace, wordBefore } from '../tokens/context.js';
import { isSymbol, textOf, type Rule } from '../tokens/rule.js';
import type { Token } from '../tokens/tokens.js';
import counters from './counters.json' with { type: 'json' };
import { counterIn, countWith, isCounted, type Found } from './counters.js';
import { literalAt, readLiteral } from './literal.js';
import { DATES, SPANS } from './spans.js';

/** Numbers before these are addresses, and before 로 scores: 12-3번지, 3-2로. */
const HOUSES = new Set(counters.houses);
/** 3~4개 is 서너 개: the lower number, and both in one word. */
const NEIGHBOURS: Readonly<Record<string, string>> = {
  '1': '한두',
  '2': '두세',
  '3': '서너',
  '4': '네댓',
  '5': '대여섯',
  '6': '예닐곱',
  '7': '일고여덟',
  '8': '여덟아홉',
};

/** `3~5명`: the counter applies to both numbers, so both are native. */
export const range: Rule = {
  name: 'range',
  read(tokens, at) {
    const low = literalAt(tokens, at);
    if (low === undefined) return undefined;
    const between = skipSpace(tokens, at + low.take);
    if (!isSymbol(tokens[between], `${SPANS}–-`)) return undefined;
    const second = skipSpace(tokens, between + 1);
    const high = literalAt(tokens, second);
    if (high === undefined) return undefined;
    const behind = second + high.take;
    const spaced = tokens[behind]?.kind === 'space' ? 1 : 0;
    const isWhole = high.fraction === undefined && low.fraction === undefined;
    const found = isWhole ? counterIn(textOf(tokens[behind + spaced], 'hangul') ?? '') : undefined;
    const isHyphen = isSymbol(tokens[between], '-');
    if (found !== undefined && !(isHyphen && isNamed(found, tokens, at, low.integer))) {
      const to = behind + spaced + 1;
      const place = { tokens, from: at, to };
      const about = neighbours(low.integer, high.integer, found, place);
      const text =
        about ?? joined(countWith(low.integer, found, place), countWith(high.integer, found, place), found);
      return { take: to - at, text: text + found.rest };
    }
    // A hyphen joins names; only ~ and – always mean a range.
    if (isHyphen && !isUnit(tokens[behind])) return undefined;
    return { take: second - at, text: `${readLiteral(low)}에서 ` };
  },
};

/** Houses and classes: 12-3번지, 3-2반. */
function isNamed(found: Found, tokens: readonly Token[], at: number, low: string): boolean {
  // 3-0 승 is a score.
  if (['반', '승', '패'].includes(found.counter)) return true;
  return (
    HOUSES.has(found.counter) || low.length > 3 || endsWithAny(wordBefore(tokens, at), ['로', '길', '동'])
  );
}

function joined(from: string, to: string, { counter, rest }: Found): string {
  if (!DATES.includes(counter)) return `${from}에서 ${to}`;
  return `${from}부터 ${to}${rest === '' ? '까지' : ''}`;
}

/** Neighbours without a counter of dates between them: 두세 명, 이삼 일. */
function neighbours(
  low: string,
  high: string,
  found: Found,
  place: Parameters<typeof isCounted>[2],
): string | undefined {
  if (low.length !== 1 || high.length !== 1 || Number(high) !== Number(low) + 1) return undefined;
  const { counter } = found;
  if (isCounted(low, found, place) && counter !== '시') {
    const both = NEIGHBOURS[low];
    return both && `${both} ${counter}`;
  }
  return [
    '일',
    '년',
    '주',
    '분',
    '초',
    '개월',
    '주일',
    '년간',
    '일간',
    '주간',
    '인분',
    '인',
    '회',
    '도',
    '분간',
    '초간',
    '개월간',
    '학년',
  ].includes(counter)
    ? `${sino(low)}${sino(high)} ${counter}`
    : undefined;
}

/** 9시~18시, 3월 ~ 5월, 10%~20%, 9:00~18:00: the sign after a number that is already read with its unit. */
export const span: Rule = {
  name: 'span',
  read(tokens, at) {
    const before = tokens[at - 1]?.kind === 'space' ? at - 2 : at - 1;
    const next = skipSpace(tokens, at + 1);
    const isClocks = isClock(tokens, before - 2) && isClock(tokens, next);
    if (isClocks && isSymbol(tokens[at], `${SPANS}-–`)) return { take: next - at, text: '부터 ' };
    if (!isSymbol(tokens[at], SPANS) || !endsNumber(tokens, before) || !beginsNumber(tokens[next]))
      return undefined;
    const unit = textOf(tokens[before], 'hangul') ?? '';
    return {
      take: next - at,
      text: endsWithAny(unit, DATES) || isSymbol(tokens[before], ')') ? '부터 ' : '에서 ',
    };
  },
};

function endsNumber(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  if (token?.kind === 'digits') return true;
  if (isSymbol(token, ').')) return true;
  return (token?.kind === 'hangul' || isUnit(token)) && tokens[at - 1]?.kind === 'digits';
}

function beginsNumber(token: Token | undefined): boolean {
  return token?.kind === 'hangul' || token?.kind === 'digits' || isSymbol(token, '₩$€¥£');
}

export function isClock(tokens: readonly Token[], at: number): boolean {
  return tokens[at]?.kind === 'digits' && isSymbol(tokens[at + 1], ':') && tokens[at + 2]?.kind === 'digits';
}

function isUnit(token: Token | undefined): boolean {
  return token?.kind === 'latin' || isSymbol(token, '%℃°');
}
