/** Names made of a date or a part of the year: 3·1절, 6.25 전쟁, '88 올림픽, 1/4분기, D-7. */
import { byDigit, sino } from '../../korean/numbers.js';
import { startsWithAny, wordBefore, wordsAfter } from '../tokens/context.js';
import { isSymbol, textOf, type Rule } from '../tokens/rule.js';
import cues from './cues.json' with { type: 'json' };
import { numberBetween } from './date.js';

/** 3·1절, 6·25, 10·26, and with a point before words such as 전쟁: the month as a number, the day digit by digit. */
export const anniversary: Rule = {
  name: 'anniversary',
  read(tokens, at) {
    const month = numberBetween(tokens[at], 1, 12);
    const day = numberBetween(tokens[at + 2], 1, 31);
    if (month === undefined || day === undefined || !isSymbol(tokens[at + 1], '·.')) return undefined;
    if (isSymbol(tokens[at - 1], '·.') || isSymbol(tokens[at + 3], '·')) return undefined;
    const [next, after] = wordsAfter(tokens, at + 3);
    const isNamed = startsWithAny(next, cues.events) || startsWithAny(after, cues.events);
    if (isSymbol(tokens[at + 1], '.') && !isNamed) return undefined;
    return { take: 3, text: sino(String(month)) + dayOf(day, month) };
  },
};

/** 26 as a name is 이륙, 25 이오, 20 이십, and 12·12 십이십이. */
function dayOf(day: number, month: number): string {
  if (day % 10 === 0 || day === month) return sino(String(day));
  return byDigit(String(day)).replace(/^(.)육$/, '$1륙');
}

/** '88 올림픽: a year digit by digit. */
export const shortYear: Rule = {
  name: 'year',
  read(tokens, at) {
    const digits = textOf(tokens[at + 1], 'digits');
    if (!isSymbol(tokens[at], "'") || digits?.length !== 2 || isSymbol(tokens[at + 2], "'."))
      return undefined;
    const next = textOf(tokens[at + 2], 'hangul') ?? '';
    if (next.startsWith('년')) return { take: 2, text: sino(digits) };
    return next === '' ? { take: 2, text: byDigit(digits) } : undefined;
  },
};

/** 3Q is 삼분기, 1H next to such words 상반기. */
export const partOfYear: Rule = {
  name: 'part of the year',
  read(tokens, at) {
    const part = numberBetween(tokens[at], 1, 4);
    const letter = textOf(tokens[at + 1], 'latin')?.toUpperCase();
    if (part === undefined || tokens[at]?.text.length !== 1) return undefined;
    if (letter === 'Q' && tokens[at + 2]?.kind !== 'digits')
      return { take: 2, text: `${sino(String(part))}분기` };
    if (letter !== 'H' || part > 2 || tokens[at + 2]?.kind === 'digits') return undefined;
    const [next] = wordsAfter(tokens, at + 2);
    if (!startsWithAny(next, cues.halves)) return undefined;
    return { take: 2, text: part === 1 ? '상반기' : '하반기' };
  },
};

/** D-7, D+100, D-day. */
export const dDay: Rule = {
  name: 'd-day',
  read(tokens, at) {
    if (textOf(tokens[at], 'latin')?.toUpperCase() !== 'D' || tokens[at - 1]?.kind === 'digits')
      return undefined;
    const sign = isSymbol(tokens[at + 1], '-')
      ? '마이너스'
      : isSymbol(tokens[at + 1], '+')
        ? '플러스'
        : undefined;
    if (sign === undefined) return undefined;
    const digits = textOf(tokens[at + 2], 'digits');
    if (digits !== undefined) return { take: 3, text: `디 ${sign} ${sino(digits)}` };
    return textOf(tokens[at + 2], 'latin')?.toLowerCase() === 'day' ? { take: 3, text: '디데이' } : undefined;
  },
};

/** 1/2 and 1⁄2; 3/4분기 is 삼사분기. */
export const fraction: Rule = {
  name: 'fraction',
  read(tokens, at) {
    const top = textOf(tokens[at], 'digits');
    const bottom = textOf(tokens[at + 2], 'digits');
    if (top === undefined || bottom === undefined || !isSymbol(tokens[at + 1], '/⁄')) return undefined;
    if (isSymbol(tokens[at - 1], '/') || isSymbol(tokens[at + 3], '/')) return undefined;
    if (textOf(tokens[at + 3], 'hangul')?.startsWith('분기') === true)
      return { take: 3, text: byDigit(top) + byDigit(bottom) };
    // 혈압 120/80, 120/80mmHg: two values.
    const hasUnit = textOf(tokens[at + 3], 'latin') === 'mmHg';
    if (hasUnit || wordBefore(tokens, at).startsWith('혈압')) {
      const unit = hasUnit ? ' 밀리미터에이치지' : '';
      return { take: hasUnit ? 4 : 3, text: `${sino(top)}에 ${sino(bottom)}${unit}` };
    }
    return { take: 3, text: `${sino(bottom)}분의 ${sino(top)}` };
  },
};
