/** Measures and signs before numbers: 3.5kg, 100km/h, 45㎍/㎥, -5℃, 3만. */
import { literalAt, multiplierOf, readLiteral, type Literal } from '../numbers/literal.js';
import { skipSpace, startsWithAny } from '../tokens/context.js';
import { isSymbol, separates, textOf, type Reading, type Rule } from '../tokens/rule.js';
import type { Token } from '../tokens/tokens.js';
import { perUnit } from './per-unit.js';
import { unitAt } from './unit.js';
import units from './units.json' with { type: 'json' };

/** Units read around the number: 시속 백 킬로미터. */
const AROUND: Readonly<Record<string, readonly string[]>> = units.around;
/** Tokens of the longest such unit: km/h. */
const LONGEST = 3;

/** -5도: a temperature. */
function isDegree(word: string): boolean {
  return (
    word === '도' ||
    startsWithAny(word, [
      '도를',
      '도까',
      '도의',
      '도로',
      '도에',
      '도이',
      '도가',
      '도였',
      '도다',
      '도인',
      '도는',
      '도 안',
    ])
  );
}

/** 1만m, 수십 km: a unit after a number in Hangul. */
export const unit: Rule = {
  name: 'unit',
  read(tokens, at) {
    if (tokens[at]?.kind !== 'latin') return undefined;
    const before = tokens[at - 1]?.kind === 'space' ? at - 2 : at - 1;
    if (!/(?:\d|수|몇|^)[십백천만억]+$/.test(numberBefore(tokens, before))) return undefined;
    const found = unitAt(tokens, at);
    return found && { take: found.take, text: ` ${found.name}` };
  },
};

/** The Hangul at `at`, after digits that it may belong to. */
function numberBefore(tokens: readonly Token[], at: number): string {
  const digits = textOf(tokens[at - 1], 'digits') ?? '';
  return digits + (textOf(tokens[at], 'hangul') ?? '');
}

/** -5 after a space, and the same before a measure: 영하 오 도. */
export const sign: Rule = {
  name: 'sign',
  read(tokens, at) {
    if (!isSymbol(tokens[at], '-−–+±▲△') || !separates(tokens[at - 1])) return undefined;
    const literal = literalAt(tokens, at + 1);
    if (literal === undefined) return undefined;
    const word = isSymbol(tokens[at], '+')
      ? '플러스'
      : isSymbol(tokens[at], '±')
        ? '플러스마이너스'
        : '마이너스';
    const measured = measureAt(tokens, at + 1, literal);
    const isCold =
      word === '마이너스' &&
      isDegree(textOf(tokens[skipSpace(tokens, at + 1 + literal.take)], 'hangul') ?? '');
    if (isCold) return { take: 1, text: '영하 ' };
    if (measured === undefined) return { take: 1, text: `${word} ` };
    const text =
      measured.text.startsWith('섭씨 ') && word === '마이너스'
        ? measured.text.replace('섭씨', '영하')
        : `${word} ${measured.text}`;
    return { ...measured, take: measured.take + 1, text };
  },
};

/** 3.5kg, 100km/h, 20℃, 50%, 120mg/dL. */
export const measure: Rule = {
  name: 'measure',
  read(tokens, at) {
    const literal = literalAt(tokens, at);
    return literal && measureAt(tokens, at, literal);
  },
};

function measureAt(tokens: readonly Token[], at: number, literal: Literal): Reading | undefined {
  const start = skipSpace(tokens, at + literal.take);
  const number = readLiteral(literal);
  for (let length = LONGEST; length > 0; length -= 1) {
    const parts = tokens.slice(start, start + length);
    if (tokens[start + length]?.kind === 'latin') continue;
    const around = AROUND[parts.map(({ text }) => text).join('')];
    if (around !== undefined)
      return { take: start + length - at, text: `${around[0]} ${number} ${around[1]}` };
  }
  const unit = unitAt(tokens, start);
  // A single letter after a space is a separate word: 3 A.
  if (unit === undefined || (start > at + literal.take && isLetter(tokens[start]))) return undefined;
  const per = perUnit(tokens, start + unit.take);
  if (per === undefined) return { take: start + unit.take - at, text: `${number} ${unit.name}` };
  return {
    take: start + unit.take + per.take - at,
    text: `${per.text}당 ${number} ${unit.name}`,
    rest: per.rest,
  };
}

function isLetter(token: Token | undefined): boolean {
  return token?.kind === 'latin' && token.text.length === 1 && !'mgLlt'.includes(token.text);
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
