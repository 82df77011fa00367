/** Money, measures, signs and telephone numbers. */
import { byDigit, sino } from '../korean/numbers.js';
import { literalAt, multiplierOf, readLiteral, type Literal } from './literal.js';
import { isSymbol, separates, textOf, type Reading, type Rule } from './rule.js';
import symbols from './symbols.json' with { type: 'json' };
import type { Token } from './tokens.js';
import units from './units.json' with { type: 'json' };

const CURRENCY: Readonly<Record<string, string>> = symbols.currency;
const UNITS: Readonly<Record<string, string>> = units.plain;
/** Read around the number: 시속 백 킬로미터. */
const AROUND: Readonly<Record<string, readonly string[]>> = units.around;
/** The most tokens that a unit is made of: kg/m³. */
const LONGEST_UNIT = 4;

/** 010-1234-5678, 1588-1234, +82 10-1234-5678, (02)123-4567: digit by digit. */
export const phone: Rule = {
  name: 'phone',
  read(tokens, at) {
    const isInternational = isSymbol(tokens[at], '+');
    const start = isInternational ? at + 1 : at;
    const groups: string[] = [];
    let next = start;
    for (;;) {
      const digits = textOf(tokens[next], 'digits');
      if (digits === undefined || groups.length === 4) return undefined;
      groups.push(digits);
      next += 1;
      const joins = isSymbol(tokens[next], '-') || (isInternational && tokens[next]?.kind === 'space');
      if (!joins || tokens[next + 1]?.kind !== 'digits') break;
      next += 1;
    }
    if (!isPhone(groups, isInternational)) return undefined;
    const spoken = groups.map((digits) => byDigit(digits)).join(' ');
    return { take: next - at, text: isInternational ? `플러스 ${spoken}` : spoken };
  },
};

function isPhone(groups: readonly string[], isInternational: boolean): boolean {
  const last = groups.at(-1)?.length;
  if (last !== 4) return false;
  if (isInternational) return groups.length >= 3;
  const [first = '', second = ''] = groups;
  if (groups.length === 2) return /^1[5-8]\d\d$/.test(first);
  return (
    groups.length === 3 &&
    first.startsWith('0') &&
    first.length <= 4 &&
    second.length >= 3 &&
    second.length <= 4
  );
}

/** -5 behind a space, and the same before a measure: 영하 오 도. */
export const sign: Rule = {
  name: 'sign',
  read(tokens, at) {
    if (!isSymbol(tokens[at], '-−–+±') || !separates(tokens[at - 1])) return undefined;
    const literal = literalAt(tokens, at + 1);
    if (literal === undefined) return undefined;
    const word = isSymbol(tokens[at], '+')
      ? '플러스'
      : isSymbol(tokens[at], '±')
        ? '플러스마이너스'
        : '마이너스';
    const measured = measureAt(tokens, at + 1, literal);
    if (measured === undefined) return { take: 1, text: `${word} ` };
    const text =
      measured.text.startsWith('섭씨 ') && word === '마이너스'
        ? measured.text.replace('섭씨', '영하')
        : `${word} ${measured.text}`;
    return { ...measured, take: measured.take + 1, text };
  },
};

/** $3.50, ₩12,000, €3만. */
export const money: Rule = {
  name: 'money',
  read(tokens, at) {
    const name = tokens[at]?.kind === 'symbol' ? CURRENCY[tokens[at].text] : undefined;
    if (name === undefined) return undefined;
    const amountAt = tokens[at + 1]?.kind === 'space' ? at + 2 : at + 1;
    const literal = literalAt(tokens, amountAt);
    if (literal === undefined) return undefined;
    const take = amountAt - at + literal.take;
    if (name === '달러' && literal.fraction?.length === 2) {
      const cents = literal.fraction === '00' ? '' : ` ${sino(literal.fraction)} 센트`;
      return { take, text: `${sino(literal.integer)} 달러${cents}` };
    }
    const multiplier = multiplierOf(tokens[at + take]);
    if (multiplier === '') return { take, text: `${readLiteral(literal)} ${name}` };
    const rest = tokens[at + take]?.text.slice(multiplier.length) ?? '';
    return { take: take + 1, text: `${readLiteral(literal)}${multiplier} ${name}`, rest };
  },
};

/** 3.5kg, 100km/h, 20℃, 50%. */
export const measure: Rule = {
  name: 'measure',
  read(tokens, at) {
    const literal = literalAt(tokens, at);
    return literal && measureAt(tokens, at, literal);
  },
};

function measureAt(tokens: readonly Token[], at: number, literal: Literal): Reading | undefined {
  const behind = at + literal.take;
  const start = tokens[behind]?.kind === 'space' ? behind + 1 : behind;
  for (let length = LONGEST_UNIT; length > 0; length -= 1) {
    const parts = tokens.slice(start, start + length);
    if (
      parts.length < length ||
      parts.some(({ kind }) => kind === 'space' || kind === 'break' || kind === 'hangul')
    )
      continue;
    const unit = parts.map(({ text }) => text).join('');
    // A letter behind the unit makes it another word: 5GBs.
    if (tokens[start + length]?.kind === 'latin') continue;
    const around = AROUND[unit];
    const number = readLiteral(literal);
    if (around !== undefined)
      return { take: start + length - at, text: `${around[0]} ${number} ${around[1]}` };
    const name = UNITS[unit];
    if (name !== undefined) return { take: start + length - at, text: `${number} ${name}` };
  }
  return undefined;
}

/** 3만 and 1억2천만: the multiplier belongs to the number. 1만 is 만, 1천 is 천. */
export const multiplied: Rule = {
  name: 'multiplied',
  read(tokens, at) {
    const literal = literalAt(tokens, at);
    const multiplier = literal && multiplierOf(tokens[at + literal.take]);
    if (literal === undefined || !multiplier) return undefined;
    const isBareOne =
      literal.integer === '1' && literal.fraction === undefined && '십백천만'.includes(multiplier.charAt(0));
    return { take: literal.take, text: isBareOne ? '' : readLiteral(literal) };
  },
};

/** 12-3: numbers that name something, such as houses. */
export const hyphenated: Rule = {
  name: 'hyphenated',
  read(tokens, at) {
    const left = textOf(tokens[at], 'digits');
    if (left === undefined || !isSymbol(tokens[at + 1], '-') || tokens[at + 2]?.kind !== 'digits')
      return undefined;
    return { take: 2, text: `${sino(left)} 다시 ` };
  },
};
