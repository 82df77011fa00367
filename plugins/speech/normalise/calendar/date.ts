/** Dates: 2024-03-05, '24.3.1, 11/23(월), 7.1~7.5. */
import { byDigit, sino } from '../../korean/numbers.js';
import {
  endsWithAny,
  skipSpace,
  startsWithAny,
  withoutParticle,
  wordBefore,
  wordsAfter,
} from '../tokens/context.js';
import { isSymbol, textOf, type Reading, type Rule } from '../tokens/rule.js';
import type { Token } from '../tokens/tokens.js';
import { closing, SPANS } from '../numbers/spans.js';
import cues from './cues.json' with { type: 'json' };

const MONTHS: Readonly<Record<number, string>> = { 6: '유', 10: '시' };
const WEEKDAYS: Readonly<Record<string, string>> = cues.weekdays;
const AFTER = cues.afterDates;
const BEFORE = cues.beforeDates;

/** 2024-03-05, 2024.3.5., 2024/03/05, '24.3.1, 2024-03, with or without spaces after the points. */
export const date: Rule = {
  name: 'date',
  read(tokens, at) {
    const isShort = isSymbol(tokens[at], "'");
    const yearAt = isShort ? at + 1 : at;
    const year = textOf(tokens[yearAt], 'digits');
    const separator = tokens[yearAt + 1];
    if (year?.length !== (isShort ? 2 : 4) || !isSymbol(separator, '-./')) return undefined;
    const monthAt = skipSpace(tokens, yearAt + 2);
    const month = numberBetween(tokens[monthAt], 1, 12);
    if (month === undefined) return undefined;
    const spokenYear = isShort && year.startsWith('0') ? byDigit(year) : sino(year);
    const start = `${spokenYear}년 ${monthName(month)}`;
    const separates = tokens[monthAt + 1]?.kind === 'symbol' && tokens[monthAt + 1]?.text === separator?.text;
    const dayAt = skipSpace(tokens, monthAt + 2);
    const day = separates ? numberBetween(tokens[dayAt], 1, 31) : undefined;
    if (day === undefined) return monthOnly(tokens, { yearAt, monthAt, start, at });
    const closes =
      isSymbol(separator, '.') && isSymbol(tokens[dayAt + 1], '.') && !endsSentence(tokens, dayAt + 1);
    const end = dayAt + (closes ? 2 : 1);
    const weekday = weekdayAt(tokens, end);
    const to = end + (weekday?.take ?? 0);
    const text = `${start} ${sino(String(day))}일${weekday?.text ?? ''}`;
    // 2024-03-05T09:30 is an ISO timestamp: the T is not read.
    const isStamp = textOf(tokens[to], 'latin') === 'T' && tokens[to + 1]?.kind === 'digits';
    if (isStamp) return { take: to + 1 - at, text: `${text} ` };
    return inSpan(tokens, { at, to, text });
  },
};

/** With 부터 before a `~` and another date, and with 까지 after one. */
function inSpan(
  tokens: readonly Token[],
  { at, to, text }: { at: number; to: number; text: string },
): Reading {
  const next = skipSpace(tokens, skipSpace(tokens, to) + 1);
  const begins = isSymbol(tokens[skipSpace(tokens, to)], SPANS) && tokens[next]?.kind === 'digits';
  return begins
    ? { take: next - at, text: `${text}부터 ` }
    : { take: to - at, text: text + closing(tokens, at, to) };
}

/** 2024-03 and 2024.03: a month of two digits after a plausible year. */
function monthOnly(
  tokens: readonly Token[],
  { yearAt, monthAt, start, at }: { yearAt: number; monthAt: number; start: string; at: number },
): Reading | undefined {
  const year = Number(tokens[yearAt]?.text);
  const next = tokens[monthAt + 1];
  const isMonth =
    monthAt === yearAt + 2 &&
    tokens[monthAt]?.text.length === 2 &&
    year >= 1900 &&
    year < 2100 &&
    !isSymbol(next, '-/%') &&
    next?.kind !== 'latin' &&
    !(next?.kind === 'hangul' && !startsWithAny(next.text, ['까', '부', '에', '기', '현', '이', '의']));
  return isMonth ? { take: monthAt + 1 - at, text: start + closing(tokens, at, monthAt + 1) } : undefined;
}

export function monthName(month: number): string {
  return `${MONTHS[month] ?? sino(String(month))}월`;
}

/** The last point of 2024. 3. 5. belongs to the date unless the text ends there. */
function endsSentence(tokens: readonly Token[], at: number): boolean {
  const next = tokens[at + 1];
  return next === undefined || next.kind === 'break';
}

/** 4/9(수), 4.9.(수), 7.1~7.5, 4/9까지: without a weekday, a span or such a word it is a fraction or a decimal. */
export const shortDate: Rule = {
  name: 'date',
  read(tokens, at) {
    const month = numberBetween(tokens[at], 1, 12);
    const separator = tokens[at + 1];
    if (month === undefined || !isSymbol(separator, '/.')) return undefined;
    const dayAt = isSymbol(separator, '.') ? skipSpace(tokens, at + 2) : at + 2;
    const day = numberBetween(tokens[dayAt], 1, 31);
    if (day === undefined || isSymbol(tokens[at - 1], './')) return undefined;
    const hasPoint = isSymbol(separator, '.') && isSymbol(tokens[dayAt + 1], '.');
    if (!hasPoint && dayAt > at + 2) return undefined;
    const end = dayAt + (hasPoint ? 2 : 1);
    const weekday = weekdayAt(tokens, end);
    const to = end + (weekday?.take ?? 0);
    const isDate =
      weekday !== undefined ||
      isSpan(tokens, at, to) ||
      isDated(tokens, { at, end, isSlash: isSymbol(separator, '/'), hasPoint });
    if (!isDate) return undefined;
    const text = `${monthName(month)} ${sino(String(day))}일${weekday?.text ?? ''}`;
    return inSpan(tokens, { at, to, text });
  },
};

/** By the words around it. A decimal needs more evidence to be a date than a fraction. */
function isDated(
  tokens: readonly Token[],
  { at, end, isSlash, hasPoint }: { at: number; end: number; isSlash: boolean; hasPoint: boolean },
): boolean {
  const [next] = wordsAfter(tokens, end);
  const before = withoutParticle(wordBefore(tokens, at));
  if (!isSlash) return hasPoint && (startsWithAny(next, cues.sure) || endsWithAny(before, cues.sureBefore));
  if (tokens[end]?.kind === 'hangul' && startsWithAny(next, cues.fractions)) return false;
  return startsWithAny(next, AFTER) || endsWithAny(before, BEFORE);
}

/** Whether a `~` joins it to another short date, and it is not a decimal of two measures. */
function isSpan(tokens: readonly Token[], at: number, end: number): boolean {
  if (isUnit(tokens[end])) return false;
  const next = skipSpace(tokens, end);
  if (isSymbol(tokens[next], SPANS)) return isPair(tokens, skipSpace(tokens, next + 1), tokens[at + 1]?.text);
  const before = tokens[at - 1]?.kind === 'space' ? at - 2 : at - 1;
  if (!isSymbol(tokens[before], SPANS)) return false;
  const last = tokens[before - 1]?.kind === 'space' ? before - 2 : before - 1;
  const day = isSymbol(tokens[last], '.') ? last - 1 : last;
  return (
    isSymbol(tokens[last], ')') ||
    (tokens[day - 1]?.text === tokens[at + 1]?.text && isPair(tokens, day - 2, tokens[at + 1]?.text))
  );
}

function isPair(tokens: readonly Token[], at: number, separator: string | undefined): boolean {
  const isWhole = !isUnit(tokens[at + 3]);
  return (
    numberBetween(tokens[at], 1, 12) !== undefined &&
    tokens[at + 1]?.text === separator &&
    numberBetween(tokens[at + 2], 1, 31) !== undefined &&
    isWhole
  );
}

function isUnit(token: Token | undefined): boolean {
  return (
    token?.kind === 'latin' ||
    isSymbol(token, '%℃°㎡') ||
    startsWithAny(textOf(token, 'hangul') ?? '', cues.measures)
  );
}

/** 3일(수), (土), (월~금). */
export const weekday: Rule = {
  name: 'weekday',
  read(tokens, at) {
    if (!isSymbol(tokens[at], '(')) return undefined;
    const first = WEEKDAYS[tokens[at + 1]?.text ?? ''];
    if (first === undefined) return undefined;
    if (isSymbol(tokens[at + 2], '~-')) {
      const last = WEEKDAYS[tokens[at + 3]?.text ?? ''];
      if (last === undefined || !isSymbol(tokens[at + 4], ')')) return undefined;
      return { take: 5, text: ` ${first}부터 ${last}까지 ` };
    }
    const isDay = textOf(tokens[at - 1], 'hangul')?.endsWith('일') === true || isSymbol(tokens[at - 1], '.');
    const found = isDay ? weekdayAt(tokens, at) : undefined;
    return found && { ...found, text: `${found.text} ` };
  },
};

function weekdayAt(tokens: readonly Token[], at: number): Reading | undefined {
  const start = skipSpace(tokens, at);
  if (!isSymbol(tokens[start], '(') || !isSymbol(tokens[start + 2], ')')) return undefined;
  const name = WEEKDAYS[tokens[start + 1]?.text ?? ''];
  return name === undefined ? undefined : { take: start + 3 - at, text: ` ${name}` };
}

export function numberBetween(token: Token | undefined, low: number, high: number): number | undefined {
  const digits = textOf(token, 'digits');
  if (digits === undefined || digits.length > 2) return undefined;
  const value = Number(digits);
  return value >= low && value <= high ? value : undefined;
}
