/** Letters that give the number after them its meaning: B1층, p. 35, RTX 4090. */
import { spell } from '../../korean/letters.js';
import { byDigit, sino } from '../../korean/numbers.js';
import { counterIn } from './counters.js';
import { literalAt, multiplierOf, readLiteral } from './literal.js';
import { skipSpace, wordBefore, wordsAfter } from '../tokens/context.js';
import { isSymbol, textOf, type Reading, type Rule } from '../tokens/rule.js';
import type { Token } from '../tokens/tokens.js';
import signs from '../latin/signs.json' with { type: 'json' };
import { listed } from '../latin/words.js';

/** Names followed by quantities and standards: GDP 3120, ISO 9001. */
const WHOLE = new Set(signs.wholeNumbers);
/** Names whose three-digit numbers are read digit by digit too: BMW 520. */
const MAKERS = new Set(signs.makers);
const CAPACITY = ['커패시터', '캐패시터', '콘덴서', '축전', '용량', '패럿'];
/** Floors in one list: B1, B2층. */
const MOST_FLOORS = 4;

/** B1층, B2F, B1~B3층: basement floors. 3F: a floor, unless it is of a capacitor. */
export const floor: Rule = {
  name: 'floor',
  read(tokens, at) {
    const above = textOf(tokens[at], 'digits') ?? '';
    if (/^[1-9]\d{0,2}$/.test(above) && tokens[at + 1]?.text === 'F')
      return isCapacity(tokens, at) ? undefined : { take: 2, text: `${sino(above)}층` };
    if (tokens[at - 1]?.kind === 'digits') return undefined;
    const digits = basement(tokens, at);
    if (digits === undefined || !endsInFloor(tokens, at)) return undefined;
    const under = wordBefore(tokens, at).endsWith('지하') ? '' : '지하 ';
    const end = at + 2;
    if (tokens[end]?.text === 'F') return { take: 3, text: `${under}${sino(digits)}층` };
    if (isSymbol(tokens[end], '~〜–-'))
      return { take: skipSpace(tokens, end + 1) - at, text: `${under}${sino(digits)}층에서 ` };
    return { take: 2, text: `${under}${sino(digits)}${tokens[end]?.kind === 'hangul' ? '' : '층'}` };
  },
};

/** 0.1F, and words around it: 100F 커패시터. */
function isCapacity(tokens: readonly Token[], at: number): boolean {
  if (isSymbol(tokens[at - 1], '.,×')) return true;
  return [wordBefore(tokens, at), ...wordsAfter(tokens, at + 2)].some((word) =>
    CAPACITY.some((part) => word.includes(part)),
  );
}

/** The digits of B1 to B99. */
function basement(tokens: readonly Token[], at: number): string | undefined {
  const digits = textOf(tokens[at + 1], 'digits') ?? '';
  return textOf(tokens[at], 'latin') === 'B' && /^[1-9]\d?$/.test(digits) ? digits : undefined;
}

/** By its own 층 or F, or by that at the end of the list. */
function endsInFloor(tokens: readonly Token[], at: number, floors = MOST_FLOORS): boolean {
  if (floors === 0 || basement(tokens, at) === undefined) return false;
  const next = tokens[at + 2];
  if (textOf(next, 'hangul')?.startsWith('층') === true || next?.text === 'F') return true;
  return isSymbol(next, '~〜–-,·/') && endsInFloor(tokens, skipSpace(tokens, at + 3), floors - 1);
}

/** p. 35, pp. 35-40. */
export const page: Rule = {
  name: 'page',
  read(tokens, at) {
    const isPage = /^pp?$/i.test(textOf(tokens[at], 'latin') ?? '') && isSymbol(tokens[at + 1], '.');
    if (!isPage || isSymbol(tokens[at - 1], '.') || tokens[at - 1]?.kind === 'digits') return undefined;
    const firstAt = skipSpace(tokens, at + 2);
    const first = literalAt(tokens, firstAt);
    if (first === undefined) return undefined;
    const end = firstAt + first.take;
    const text = `페이지 ${readLiteral(first)}`;
    const lastAt = skipSpace(tokens, skipSpace(tokens, end) + 1);
    const isRange = isSymbol(tokens[skipSpace(tokens, end)], '-–~〜') && tokens[lastAt]?.kind === 'digits';
    return isRange ? { take: lastAt - at, text: `${text}에서 ` } : { take: end - at, text };
  },
};

/** RTX 4090, RTX4090: a model number, digit by digit. */
export const series: Rule = {
  name: 'model',
  read(tokens, at): Reading | undefined {
    const name = textOf(tokens[at], 'latin') ?? '';
    const isMaker = MAKERS.has(name);
    if (!isMaker && (!/^[A-Z]{2,4}$/.test(name) || WHOLE.has(name))) return undefined;
    if (tokens[at - 1]?.kind === 'digits') return undefined;
    const digitsAt = skipSpace(tokens, at + 1);
    const digits = textOf(tokens[digitsAt], 'digits') ?? '';
    if (!namesModel(digits, isMaker) || isCounted(tokens, digitsAt + 1)) return undefined;
    const spaced = digitsAt > at + 1 ? ' ' : '';
    return { take: digitsAt + 1 - at, text: `${listed(name) ?? spell(name)}${spaced}${byDigit(digits)}` };
  },
};

/** i7-13700K: letters and digits, a hyphen, and a number of three digits or more. */
export const partNumber: Rule = {
  name: 'model',
  read(tokens, at) {
    const letters = textOf(tokens[at], 'latin') ?? '';
    const first = textOf(tokens[at + 1], 'digits') ?? '';
    const digits = textOf(tokens[at + 3], 'digits') ?? '';
    const isPart = /^[A-Za-z]{1,2}$/.test(letters) && /^\d{1,2}$/.test(first) && /^\d{3,5}$/.test(digits);
    if (!isPart || !isSymbol(tokens[at + 2], '-') || tokens[at - 1]?.kind === 'digits') return undefined;
    const end = textOf(tokens[at + 4], 'latin') ?? '';
    if (end.length > 3) return undefined;
    return {
      take: end === '' ? 4 : 5,
      text: `${spell(letters)}${sino(first)} ${byDigit(digits)}${spell(end)}`,
    };
  },
};

/** 보잉 747: a maker in Hangul, and a number of three digits. */
export const madeBy: Rule = {
  name: 'model',
  read(tokens, at) {
    const digits = textOf(tokens[at], 'digits') ?? '';
    if (!namesModel(digits, true) || isCounted(tokens, at + 1)) return undefined;
    return signs.makersInHangul.includes(wordBefore(tokens, at))
      ? { take: 1, text: byDigit(digits) }
      : undefined;
  },
};

/** Neither a plausible year nor a round number: CES 2024, RX 7900. */
function namesModel(digits: string, isMaker: boolean): boolean {
  if (digits.endsWith('00') || digits.startsWith('0')) return false;
  if (isMaker && digits.length === 3) return true;
  return digits.length === 4 && !/^(?:19|20)/.test(digits);
}

/** What may be joined to such a number. */
const PARTICLE = /^(?:은|는|이|가|을|를|의|에|와|과|도|로|으로|보다|처럼|나|라|급|용|까지|부터|였)/;

/** Whether a counter, a multiplier or a unit follows, or the digits go on. */
function isCounted(tokens: readonly Token[], end: number): boolean {
  const next = tokens[end];
  if (next?.kind === 'latin' || isSymbol(next, '%℃°')) return true;
  if (isSymbol(next, '.,:/-~') && tokens[end + 1]?.kind === 'digits') return true;
  if (next?.kind === 'hangul') return !PARTICLE.test(next.text);
  const word = tokens[skipSpace(tokens, end)];
  return counterIn(textOf(word, 'hangul') ?? '') !== undefined || multiplierOf(word) !== '';
}
