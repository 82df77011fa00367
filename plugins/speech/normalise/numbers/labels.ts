/** Letters that give the number after them its meaning: B1층, p. 35, RTX 4090. */
import { spell } from '../../korean/letters.js';
import { byDigit, sino } from '../../korean/numbers.js';
import { counterIn } from './counters.js';
import { literalAt, multiplierOf, readLiteral } from './literal.js';
import { skipSpace, wordBefore } from '../tokens/context.js';
import { isSymbol, textOf, type Reading, type Rule } from '../tokens/rule.js';
import type { Token } from '../tokens/tokens.js';
import signs from '../latin/signs.json' with { type: 'json' };
import { listed } from '../latin/words.js';

/** Names followed by quantities and standards: GDP 3120, ISO 9001. */
const WHOLE = new Set(signs.wholeNumbers);
/** Names whose three-digit numbers are read digit by digit too: BMW 520. */
const MAKERS = new Set(signs.makers);
/** Floors in one list: B1, B2층. */
const MOST_FLOORS = 4;

/** B1층, B2F, B1~B3층: basement floors. */
export const floor: Rule = {
  name: 'floor',
  read(tokens, at) {
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
