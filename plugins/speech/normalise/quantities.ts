/** Money, measures, signs and numbers with hyphens. */
import { byDigit, sino } from '../korean/numbers.js';
import { literalAt, multiplierOf, readLiteral, type Literal } from './literal.js';
import { digitGroups, isSymbol, separates, textOf, type Reading, type Rule } from './rule.js';
import symbols from './symbols.json' with { type: 'json' };
import type { Token } from './tokens.js';
import units from './units.json' with { type: 'json' };

const CURRENCY: Readonly<Record<string, string>> = symbols.currency;
const UNITS: Readonly<Record<string, string>> = units.plain;
/** Read around the number: 시속 백 킬로미터. */
const AROUND: Readonly<Record<string, readonly string[]>> = units.around;
/** The most tokens that a unit is made of: kg/m³. */
const LONGEST_UNIT = 4;

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
    const word = textOf(tokens[at + take], 'hangul');
    if (word === undefined || (multiplier === '' && !word.startsWith(name)))
      return { take, text: `${readLiteral(literal)} ${name}` };
    // Who writes ₩5천원 names the currency twice; it is said once.
    const behind = word.slice(multiplier.length);
    const rest = behind.startsWith(name) ? behind.slice(name.length) : behind;
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

/** 3-2로: a score. 12-3: numbers that name something, such as houses. 110-123-456789: a code, digit by digit. */
export const hyphenated: Rule = {
  name: 'hyphenated',
  read(tokens, at) {
    const groups = digitGroups(tokens, at, '-');
    const [first = '', second = ''] = groups;
    if (groups.length < 2) return undefined;
    if (isCode(groups))
      return { take: 2 * groups.length - 1, text: groups.map((digits) => byDigit(digits)).join(' ') };
    const behind = textOf(tokens[at + 3], 'hangul') ?? '';
    const isScore = groups.length === 2 && first.length <= 2 && second.length <= 2 && /^으?로/.test(behind);
    return { take: 2, text: `${sino(first)} ${isScore ? '대' : '다시'} ` };
  },
};

/** Numbers of accounts, cards and residents: no house or score has as many digits. */
function isCode(groups: readonly string[]): boolean {
  const digits = groups.reduce((sum, { length }) => sum + length, 0);
  return groups.length > 2 ? digits >= 8 : digits >= 11;
}

/** 192.168.0.1, 2.1.3: addresses and versions; a decimal has one point. */
export const dotted: Rule = {
  name: 'dotted',
  read(tokens, at) {
    const groups = digitGroups(tokens, at, '.');
    if (groups.length < 3) return undefined;
    const read = (integer: string): string => readLiteral({ take: 1, integer, fraction: undefined });
    return { take: 2 * groups.length - 1, text: groups.map(read).join(' 점 ') };
  },
};
