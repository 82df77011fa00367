/** Powers, mixed fractions and equations. */
import { decompose } from '../../korean/hangul.js';
import { spell } from '../../korean/letters.js';
import { sino } from '../../korean/numbers.js';
import signs from '../latin/signs.json' with { type: 'json' };
import { skipSpace, startsWithAny, wordsAfter } from '../tokens/context.js';
import { isSymbol, separates, textOf, type Rule } from '../tokens/rule.js';
import type { Token } from '../tokens/tokens.js';
import cues from './cues.json' with { type: 'json' };
import { literalAt, readLiteral } from './literal.js';

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const OPERATORS: Readonly<Record<string, string>> = {
  '+': '더하기',
  '-': '빼기',
  '×': '곱하기',
  '*': '곱하기',
  x: '곱하기',
  '÷': '나누기',
  '/': '나누기',
};
const FRACTIONS: Readonly<Record<string, string>> = {
  '½': '1/2',
  '⅓': '1/3',
  '⅔': '2/3',
  '¼': '1/4',
  '¾': '3/4',
};
/** The most numbers in an equation. */
const MOST_TERMS = 8;
const DIGITS: readonly string[] = signs.digits;
const FACTORIAL = '팩토리얼';

/** 10^3, 10⁻³, x². The base is a number or a letter. */
export const power: Rule = {
  name: 'power',
  read(tokens, at) {
    const literal = literalAt(tokens, at);
    const isLetter = tokens[at]?.kind === 'latin' && tokens[at].text.length === 1;
    if (literal === undefined && !isLetter) return undefined;
    const signAt = at + (literal?.take ?? 1);
    const found = exponentAt(tokens, signAt);
    if (found === undefined || (literal === undefined && !separates(tokens[at - 1]))) return undefined;
    const name = { '2': '제곱', '3': '세제곱' }[found.text] ?? `${readExponent(found.text)}제곱`;
    if (literal === undefined)
      return { take: found.take + 1, text: `${spell(tokens[at]?.text ?? '')} ${name}` };
    return { take: literal.take + found.take, text: `${readLiteral(literal)}의 ${name}` };
  },
};

/** The exponent after a base: `^`, a sign and digits, or superscript digits. */
function exponentAt(tokens: readonly Token[], at: number): { take: number; text: string } | undefined {
  let next = at;
  let text = '';
  if (isSymbol(tokens[next], '^')) {
    next += 1;
    if (isSymbol(tokens[next], '-')) {
      text = '-';
      next += 1;
    }
    const exponent = textOf(tokens[next], 'digits') ?? letterAt(tokens, next);
    return exponent === undefined ? undefined : { take: next + 1 - at, text: text + exponent };
  }
  for (;;) {
    const token = tokens[next];
    if (token?.kind !== 'symbol' || next - at > 4) break;
    if (SUPERSCRIPTS.includes(token.text)) text += String(SUPERSCRIPTS.indexOf(token.text));
    else if (token.text === '⁻' && text === '') text = '-';
    else if (token.text === 'ⁿ') text += 'n';
    else break;
    next += 1;
  }
  return text === '' || text === '-' ? undefined : { take: next - at, text };
}

function letterAt(tokens: readonly Token[], at: number): string | undefined {
  const text = textOf(tokens[at], 'latin');
  return text?.length === 1 ? text : undefined;
}

function readExponent(text: string): string {
  if (text === 'n') return '엔';
  if (text.startsWith('-')) return `마이너스 ${sino(text.slice(1))} `;
  return sino(text);
}

/** 1½ is 일과 이분의 일. */
export const vulgarFraction: Rule = {
  name: 'fraction',
  read(tokens, at) {
    const whole = textOf(tokens[at], 'digits');
    const sign = tokens[whole === undefined ? at : at + 1];
    const parts = sign?.kind === 'symbol' ? partsOf(sign.text) : undefined;
    if (parts === undefined) return undefined;
    const fraction = `${sino(parts[1])}분의 ${sino(parts[0])}`;
    if (whole === undefined) return { take: 1, text: fraction };
    const number = sino(whole);
    return { take: 2, text: `${number}${endsInCoda(number) ? '과' : '와'} ${fraction}` };
  },
};

function partsOf(sign: string): readonly [string, string] | undefined {
  const plain =
    FRACTIONS[sign] ?? (sign >= '⅐' && sign <= '⅞' ? sign.normalize('NFKC').replace('⁄', '/') : '');
  const [top, bottom] = plain.split('/');
  return top === undefined || bottom === undefined ? undefined : [top, bottom];
}

/** 10-3=7: 십 빼기 삼은 칠. Without `=` it is not an equation. */
export const equation: Rule = {
  name: 'equation',
  read(tokens, at) {
    if (!separates(tokens[at - 1])) return undefined;
    let text = '';
    let next = at;
    for (let terms = 1; terms <= MOST_TERMS; terms += 1) {
      const literal = literalAt(tokens, next);
      if (literal === undefined) return undefined;
      const number = readLiteral(literal);
      text += number;
      next += literal.take;
      const signAt = skipSpace(tokens, next);
      const sign = tokens[signAt];
      if (isSymbol(sign, '=') && terms > 1) {
        const particle = endsInCoda(number) ? '은' : '는';
        return { take: skipSpace(tokens, signAt + 1) - at, text: `${text}${particle} ` };
      }
      const name = sign === undefined ? undefined : OPERATORS[sign.text];
      if (name === undefined) return undefined;
      text += ` ${name} `;
      next = skipSpace(tokens, signAt + 1);
    }
    return undefined;
  },
};

/** 1+1 행사: a two-for-one offer, read in English. */
export const bundle: Rule = {
  name: 'bundle',
  read(tokens, at) {
    const one = DIGITS[Number(textOf(tokens[at], 'digits') ?? NaN)];
    const other = DIGITS[Number(textOf(tokens[at + 2], 'digits') ?? NaN)];
    if (one === undefined || other === undefined || !isSymbol(tokens[at + 1], '+')) return undefined;
    const [next] = wordsAfter(tokens, at + 3);
    return startsWithAny(next, cues.bundles) ? { take: 3, text: `${one} 플러스 ${other}` } : undefined;
  },
};

/** 5!: a factorial if an equation or a letter follows; else the end of a sentence. */
export const factorial: Rule = {
  name: 'factorial',
  read(tokens, at) {
    const literal = literalAt(tokens, at);
    if (literal === undefined || !isSymbol(tokens[at + literal.take], '!')) return undefined;
    const next = tokens[skipSpace(tokens, at + literal.take + 1)];
    if (!isSymbol(next, '=+-×/÷')) return undefined;
    return { take: literal.take + 1, text: `${readLiteral(literal)} ${FACTORIAL}` };
  },
};

/** 1달러=1,300원: a sign between words gets the fitting particle. */
export const equals: Rule = {
  name: 'equation',
  read(tokens, at) {
    if (!isSymbol(tokens[at], '=')) return undefined;
    const left = tokens[tokens[at - 1]?.kind === 'space' ? at - 2 : at - 1];
    const before =
      left?.kind === 'latin' && left.text.length === 1 ? spell(left.text) : textOf(left, 'hangul');
    return before === undefined ? undefined : { take: 1, text: `${endsInCoda(before) ? '은' : '는'} ` };
  },
};

function endsInCoda(word: string): boolean {
  const last = word.at(-1);
  return last !== undefined && last >= '가' && last <= '힣' && decompose(last).coda !== '';
}
