/** Dates and times. */
import { byDigit, native, sino } from '../korean/numbers.js';
import { isSymbol, textOf, type Rule } from './rule.js';
import type { Token } from './tokens.js';

/** The middle dot, and the signs that keyboards write for it. */
const MIDDLE_DOTS = '·‧・';
const MONTHS: Readonly<Record<number, string>> = { 6: '유', 10: '시' };

/** 2024-03-05, 2024.3.5., 2024/03/05, with or without spaces behind the points. */
export const date: Rule = {
  name: 'date',
  read(tokens, at) {
    const year = textOf(tokens[at], 'digits');
    const separator = tokens[at + 1];
    if (year?.length !== 4 || !isSymbol(separator, '-./')) return undefined;
    const monthAt = skipSpace(tokens, at + 2);
    const month = numberBetween(tokens[monthAt], 1, 12);
    if (month === undefined) return undefined;
    if (tokens[monthAt + 1]?.text !== separator?.text || tokens[monthAt + 1]?.kind !== 'symbol')
      return undefined;
    const dayAt = skipSpace(tokens, monthAt + 2);
    const day = numberBetween(tokens[dayAt], 1, 31);
    if (day === undefined) return undefined;
    const closes =
      isSymbol(separator, '.') && isSymbol(tokens[dayAt + 1], '.') && !endsSentence(tokens, dayAt + 1);
    return {
      take: dayAt + (closes ? 2 : 1) - at,
      text: `${sino(year)}년 ${monthName(month)} ${sino(String(day))}일`,
    };
  },
};

export function monthName(month: number): string {
  return `${MONTHS[month] ?? sino(String(month))}월`;
}

/** The last point of 2024. 3. 5. is the date's own unless the text ends there. */
function endsSentence(tokens: readonly Token[], at: number): boolean {
  const next = tokens[at + 1];
  return next === undefined || next.kind === 'break';
}

/** 14:30, 9:05:07, with AM or PM behind it. */
export const time: Rule = {
  name: 'time',
  read(tokens, at) {
    const hour = numberBetween(tokens[at], 0, 24);
    if (hour === undefined || !isSymbol(tokens[at + 1], ':')) return undefined;
    const minute = twoDigits(tokens[at + 2]);
    if (minute === undefined) return undefined;
    const second = isSymbol(tokens[at + 3], ':') ? twoDigits(tokens[at + 4]) : undefined;
    if (second === undefined && isSymbol(tokens[at + 3], ':')) return undefined;
    const clock = second === undefined ? 3 : 5;
    const halfAt = skipSpace(tokens, at + clock);
    const half = { am: '오전 ', pm: '오후 ' }[textOf(tokens[halfAt], 'latin')?.toLowerCase() ?? ''];
    const parts = [`${hourName(hour)} 시`];
    if (minute > 0) parts.push(`${sino(String(minute))}분`);
    if (second !== undefined && second > 0) parts.push(`${sino(String(second))}초`);
    return {
      take: half === undefined ? clock : halfAt + 1 - at,
      text: (half ?? '') + parts.join(' '),
    };
  },
};

/** Native up to 12, Sino-Korean beyond: 두 시, 십사 시. */
function hourName(hour: number): string {
  return (hour <= 12 ? native(String(hour)) : undefined) ?? sino(String(hour));
}

/** 3·1절, 6·25, 10·26: days that name an event, the month as a number and the day digit by digit. */
export const anniversary: Rule = {
  name: 'anniversary',
  read(tokens, at) {
    const month = numberBetween(tokens[at], 1, 12);
    const day = numberBetween(tokens[at + 2], 1, 31);
    if (month === undefined || day === undefined || !isSymbol(tokens[at + 1], MIDDLE_DOTS)) return undefined;
    if (isSymbol(tokens[at - 1], MIDDLE_DOTS) || isSymbol(tokens[at + 3], MIDDLE_DOTS)) return undefined;
    const isWhole = day % 10 === 0 || day === month;
    return { take: 3, text: sino(String(month)) + (isWhole ? sino(String(day)) : byDigit(String(day))) };
  },
};

/** 3:2 and 16:9: what no clock shows is a ratio or a score. */
export const ratio: Rule = {
  name: 'ratio',
  read(tokens, at) {
    const left = textOf(tokens[at], 'digits');
    const right = textOf(tokens[at + 2], 'digits');
    if (left === undefined || right === undefined || !isSymbol(tokens[at + 1], ':')) return undefined;
    return { take: 2, text: `${sino(left)} 대 ` };
  },
};

/** 1/2 and 1⁄2 (what ½ is made of); 3/4분기 is 삼사분기. */
export const fraction: Rule = {
  name: 'fraction',
  read(tokens, at) {
    const top = textOf(tokens[at], 'digits');
    const bottom = textOf(tokens[at + 2], 'digits');
    if (top === undefined || bottom === undefined || !isSymbol(tokens[at + 1], '/⁄')) return undefined;
    if (isSymbol(tokens[at - 1], '/') || isSymbol(tokens[at + 3], '/')) return undefined;
    if (textOf(tokens[at + 3], 'hangul')?.startsWith('분기') === true)
      return { take: 3, text: byDigit(top) + byDigit(bottom) };
    return { take: 3, text: `${sino(bottom)}분의 ${sino(top)}` };
  },
};

function numberBetween(token: Token | undefined, low: number, high: number): number | undefined {
  const digits = textOf(token, 'digits');
  if (digits === undefined || digits.length > 2) return undefined;
  const value = Number(digits);
  return value >= low && value <= high ? value : undefined;
}

function twoDigits(token: Token | undefined): number | undefined {
  return token?.text.length === 2 ? numberBetween(token, 0, 59) : undefined;
}

function skipSpace(tokens: readonly Token[], at: number): number {
  return tokens[at]?.kind === 'space' ? at + 1 : at;
}
