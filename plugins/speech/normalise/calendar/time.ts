/** Times of day, durations, and what looks like them: scores, ratios and verses. */
import { byDigit, native, sino } from '../../korean/numbers.js';
import { counterIn } from '../numbers/counters.js';
import { closing } from '../numbers/spans.js';
import {
  endsWithAny,
  skipSpace,
  startsWithAny,
  withoutParticle,
  wordBefore,
  wordsAfter,
} from '../tokens/context.js';
import { isSymbol, textOf, type Rule } from '../tokens/rule.js';
import type { Token } from '../tokens/tokens.js';
import cues from './cues.json' with { type: 'json' };
import { numberBetween } from './date.js';

const HALVES: Readonly<Record<string, string>> = { am: '오전 ', pm: '오후 ' };
const UNITS: Readonly<Record<string, string>> = {
  h: '시간',
  hr: '시간',
  hrs: '시간',
  m: '분',
  min: '분',
  s: '초',
  sec: '초',
};

/** 9초 58: hundredths after the seconds of a race, digit by digit. Other numbers have a counter or a unit. */
export const hundredths: Rule = {
  name: 'time',
  read(tokens, at) {
    const digits = textOf(tokens[at], 'digits');
    const before = tokens[at - 1]?.kind === 'space' ? at - 2 : at - 1;
    if (digits === undefined || !/^\d{2,3}$/.test(digits) || tokens[before]?.text !== '초') return undefined;
    const next = tokens[at + 1];
    const isSeconds = /^\d{1,2}$/.test(textOf(tokens[before - 1], 'digits') ?? '');
    const isOther =
      next?.kind === 'latin' || (isSymbol(next, '.,:/-~%℃°') && tokens[at + 2]?.kind === 'digits');
    const word = textOf(tokens[skipSpace(tokens, at + 1)], 'hangul') ?? '';
    const isParticle = next?.kind === 'hangul' && /^으?로/.test(word);
    if (!isSeconds || isOther || isSymbol(next, '%℃°') || (!isParticle && counterIn(word) !== undefined))
      return undefined;
    return { take: 1, text: `${before === at - 1 ? ' ' : ''}${byDigit(digits)}` };
  },
};

/** 14:30, 9:05:07, with AM or PM before or after it. */
export const time: Rule = {
  name: 'time',
  read(tokens, at) {
    const before = halfOf(tokens[at]);
    const hourAt = before === undefined ? at : skipSpace(tokens, at + 1);
    const hour = numberBetween(tokens[hourAt], 0, 24);
    if (hour === undefined || !isSymbol(tokens[hourAt + 1], ':')) return undefined;
    const minute = twoDigits(tokens[hourAt + 2]);
    if (minute === undefined) return undefined;
    const second = isSymbol(tokens[hourAt + 3], ':') ? twoDigits(tokens[hourAt + 4]) : undefined;
    if (second === undefined && isSymbol(tokens[hourAt + 3], ':')) return undefined;
    const clock = hourAt + (second === undefined ? 3 : 5);
    const left = withoutParticle(wordBefore(tokens, at));
    if (endsWithAny(left, cues.ratios) || startsWithAny(wordsAfter(tokens, clock)[0], cues.ratiosAfter))
      return undefined;
    if (endsWithAny(left, cues.verses) && second === undefined)
      return { take: clock - at, text: `${sino(String(hour))}장 ${sino(String(minute))}절` };
    if (second !== undefined && isDuration(left, wordsAfter(tokens, clock)[0]))
      return { take: clock - at, text: durationOf(hour, minute, second) };
    const halfAt = skipSpace(tokens, clock);
    const after = before === undefined ? halfOf(tokens[halfAt]) : undefined;
    const end = after === undefined ? clock : halfAt + 1;
    // 10:30분: a written unit is not said twice.
    const said =
      tokens[end]?.kind === 'hangul' && tokens[end].text.startsWith('분')
        ? tokens[end].text.slice(1)
        : undefined;
    const text = `${before ?? after ?? ''}${clockOf(hour, minute, second)}`;
    if (said !== undefined && minute > 0) return { take: end + 1 - at, text, rest: said };
    return { take: end - at, text: text + closing(tokens, at, end) };
  },
};

function clockOf(hour: number, minute: number, second: number | undefined): string {
  const parts = [`${hourName(hour)} 시`];
  if (minute > 0) parts.push(`${sino(String(minute))}분`);
  if (second !== undefined && second > 0) parts.push(`${sino(String(second))}초`);
  return parts.join(' ');
}

/** Native up to 12, then Sino-Korean: 두 시, 십사 시. */
function hourName(hour: number): string {
  return (hour <= 12 ? native(String(hour)) : undefined) ?? sino(String(hour));
}

function isDuration(left: string, next: string): boolean {
  return endsWithAny(left, cues.durations) || startsWithAny(next, cues.durations);
}

function durationOf(hour: number, minute: number, second: number): string {
  const hours = hour > 0 ? `${native(String(hour)) ?? sino(String(hour))} 시간 ` : '';
  return `${hours}${sino(String(minute))}분 ${sino(String(second))}초`;
}

/** 9AM, 3 pm, AM 9시. */
export const half: Rule = {
  name: 'time',
  read(tokens, at) {
    const before = halfOf(tokens[at]);
    const next = skipSpace(tokens, at + 1);
    if (before !== undefined && tokens[next + 1]?.text.startsWith('시') === true)
      return { take: next - at, text: before };
    const hour = numberBetween(tokens[at], 1, 12);
    const after = halfOf(tokens[next]);
    if (hour === undefined || after === undefined) return undefined;
    return { take: next + 1 - at, text: `${after}${hourName(hour)} 시` };
  },
};

/** AM or PM, also with points: a.m. */
function halfOf(token: Token | undefined): string | undefined {
  return HALVES[textOf(token, 'latin')?.toLowerCase() ?? ''];
}

/** 2h 30m, 1h20m, 90min: `m` after hours is minutes, alone it is metres. */
export const duration: Rule = {
  name: 'duration',
  read(tokens, at) {
    const parts: string[] = [];
    let next = at;
    let end = at;
    while (parts.length < 3) {
      const digits = textOf(tokens[next], 'digits');
      const unit = textOf(tokens[next + 1], 'latin')?.toLowerCase() ?? '';
      const name = UNITS[unit];
      if (digits === undefined || name === undefined) break;
      if (parts.length === 0 && !unit.startsWith('h') && !(unit === 'm' && isSeconds(tokens, next + 2)))
        return undefined;
      const count = name === '시간' && Number(digits) < 20 ? native(digits) : undefined;
      parts.push(
        count === undefined ? `${sino(digits)}${name === '시간' ? ' ' : ''}${name}` : `${count} ${name}`,
      );
      end = next + 2;
      next = skipSpace(tokens, end);
    }
    return parts.length === 0 ? undefined : { take: end - at, text: parts.join(' ') };
  },
};

function isSeconds(tokens: readonly Token[], at: number): boolean {
  const next = skipSpace(tokens, at);
  return tokens[next]?.kind === 'digits' && textOf(tokens[next + 1], 'latin') === 's';
}

/** 3'25": minutes and seconds; near 키 feet and inches, after degrees minutes and seconds of arc. */
export const primes: Rule = {
  name: 'primes',
  read(tokens, at) {
    const first = textOf(tokens[at], 'digits');
    if (first === undefined || !isSymbol(tokens[at + 1], "'")) return undefined;
    const second = textOf(tokens[at + 2], 'digits');
    if (second === undefined || !isSymbol(tokens[at + 3], '"')) return undefined;
    const isHeight = endsWithAny(withoutParticle(wordBefore(tokens, at)), ['키', '신장', '높이']);
    const [one, other] = isHeight ? [' 피트', ' 인치'] : ['분', '초'];
    return { take: 4, text: `${sino(first)}${one} ${sino(second)}${other}` };
  },
};

/** 3:2 and 16:9: an impossible time is a ratio or a score. */
export const ratio: Rule = {
  name: 'ratio',
  read(tokens, at) {
    const left = textOf(tokens[at], 'digits');
    const right = textOf(tokens[at + 2], 'digits');
    if (left === undefined || right === undefined || !isSymbol(tokens[at + 1], ':')) return undefined;
    if (endsWithAny(withoutParticle(wordBefore(tokens, at)), cues.verses))
      return { take: 3, text: `${sino(left)}장 ${sino(right)}절` };
    return { take: 2, text: `${sino(left)} 대 ` };
  },
};

function twoDigits(token: Token | undefined): number | undefined {
  return token?.text.length === 2 ? numberBetween(token, 0, 59) : undefined;
}
