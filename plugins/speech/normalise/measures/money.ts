/** Money, and prices for a unit: $3.50, $1.2M, 100원/kg, USD 50. */
import { native, sino } from '../../korean/numbers.js';
import { literalAt, multiplierOf, readLiteral, type Literal } from '../numbers/literal.js';
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
import currencies from './currencies.json' with { type: 'json' };
import { perUnit } from './per-unit.js';

const BEFORE: Readonly<Record<string, string>> = currencies.before;
const CODES: Readonly<Record<string, string>> = currencies.codes;
const SCALES: Readonly<Record<string, number>> = currencies.scales;
/** The readings of units, and which of them take native numbers. */
const PRICED = currencies.priced;
const COUNTED = currencies.counted;
/** Digits of the longest scaled number. */
const LONGEST = 16;

/** $3.50, ₩12,000, €3만, ¥500 near 중국, US$20, USD 20. */
export const money: Rule = {
  name: 'money',
  read(tokens, at) {
    const sign = signAt(tokens, at);
    if (sign === undefined) return undefined;
    const amountAt = skipSpace(tokens, at + sign.take);
    const literal = literalAt(tokens, amountAt);
    if (literal === undefined) return undefined;
    const behind = amountAt + literal.take;
    const { name } = sign;
    const scaled = scaledAt(tokens, behind, literal);
    if (scaled !== undefined)
      return withUnit(tokens, { at, to: behind + 1, text: `${scaled} ${name}`, short: scaled === '' });
    if (name === '달러' && literal.fraction?.length === 2) {
      const dollars = Number(literal.integer) === 0 ? '' : `${sino(literal.integer)} 달러`;
      const cents = literal.fraction === '00' ? '' : `${sino(literal.fraction)} 센트`;
      const text = `${dollars} ${cents}`.trim() || '영 달러';
      return withUnit(tokens, { at, to: behind, text });
    }
    const multiplier = multiplierOf(tokens[behind]);
    const word = textOf(tokens[behind], 'hangul');
    if (word === undefined || (multiplier === '' && !word.startsWith(name)))
      return withUnit(tokens, { at, to: behind, text: `${readLiteral(literal)} ${name}` });
    // ₩5천원 names the currency twice; it is read once.
    const rest = word.slice(multiplier.length);
    const own = rest.startsWith(name) ? rest.slice(name.length) : rest;
    return { take: behind + 1 - at, text: `${readLiteral(literal)}${multiplier} ${name}`, rest: own };
  },
};

function signAt(tokens: readonly Token[], at: number): { name: string; take: number } | undefined {
  const token = tokens[at];
  if (token?.kind === 'symbol') {
    const name = BEFORE[token.text];
    if (name !== '엔') return name === undefined ? undefined : { name, take: 1 };
    const isYuan = endsWithAny(wordBefore(tokens, at), currencies.yuan);
    return { name: isYuan ? '위안' : name, take: 1 };
  }
  const code = textOf(token, 'latin')?.toUpperCase() ?? '';
  if (isSymbol(tokens[at + 1], '$') && /^(?:US|HK|A|C|S|NT)$/.test(code))
    return {
      name:
        { US: '달러', HK: '홍콩달러', A: '호주달러', C: '캐나다달러', S: '싱가포르달러', NT: '대만달러' }[
          code
        ] ?? '',
      take: 2,
    };
  const name = CODES[textOf(token, 'latin') ?? ''];
  return name === undefined || tokens[at - 1]?.kind === 'digits' ? undefined : { name, take: 1 };
}

/** 1.2M after a currency sign: multiplied out. */
function scaledAt(tokens: readonly Token[], at: number, literal: Literal): string | undefined {
  const zeros = SCALES[textOf(tokens[at], 'latin') ?? ''];
  return zeros === undefined ? undefined : multiplied(literal, zeros);
}

function multiplied({ integer, fraction = '' }: Literal, zeros: number): string | undefined {
  if (fraction.length > zeros || integer.length + zeros > LONGEST) return undefined;
  return sino(integer + fraction.padEnd(zeros, '0'));
}

/** 조회수 12K, 1.5M명: scales next to what is counted in such numbers; 10K 마라톤. */
export const scaled: Rule = {
  name: 'scale',
  read(tokens, at) {
    const literal = literalAt(tokens, at);
    const scale = literal && textOf(tokens[at + literal.take], 'latin');
    if (literal === undefined || scale === undefined || !(scale in SCALES)) return undefined;
    const to = at + literal.take + 1;
    const [next] = wordsAfter(tokens, to);
    if (scale === 'K' && startsWithAny(next, currencies.running))
      return { take: literal.take + 1, text: `${readLiteral(literal)} 킬로미터` };
    if (scale === 'm') return undefined;
    const isCount =
      endsWithAny(withoutParticle(wordBefore(tokens, at)), currencies.counts) ||
      startsWithAny(next, currencies.countsAfter);
    const text = isCount ? multiplied(literal, SCALES[scale] ?? 0) : undefined;
    return text === undefined ? undefined : { take: literal.take + 1, text: `${text} ` };
  },
};

/** 100원/kg, 3만원/월: the unit is read first. */
export const price: Rule = {
  name: 'price',
  read(tokens, at) {
    const literal = literalAt(tokens, at);
    if (literal === undefined) return undefined;
    const wordAt = skipSpace(tokens, at + literal.take);
    const multiplier = multiplierOf(tokens[wordAt]);
    const word = textOf(tokens[wordAt], 'hangul') ?? '';
    const name = word.slice(multiplier.length);
    if (!PRICED.includes(name)) return undefined;
    const per = perUnit(tokens, wordAt + 1);
    if (per === undefined) return undefined;
    const isBareOne = literal.integer === '1' && literal.fraction === undefined && multiplier !== '';
    const isCount = multiplier === '' && literal.fraction === undefined && COUNTED.includes(name);
    const number =
      isBareOne && '십백천만'.includes(multiplier.charAt(0))
        ? ''
        : ((isCount ? native(literal.integer) : undefined) ?? readLiteral(literal));
    return {
      take: wordAt + 1 + per.take - at,
      text: `${per.text}당 ${number}${multiplier} ${name}`,
      rest: per.rest,
    };
  },
};

function withUnit(
  tokens: readonly Token[],
  { at, to, text }: { at: number; to: number; text: string; short?: boolean },
): Reading {
  const per = perUnit(tokens, to);
  if (per === undefined) return { take: to - at, text };
  return { take: to + per.take - at, text: `${per.text}당 ${text}`, rest: per.rest };
}
