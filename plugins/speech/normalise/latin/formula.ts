/** Chemical formulas: H2SO4, Ca(OH)2. Those of one element, such as O2, are read like any name with a number. */
import { spell } from '../../korean/letters.js';
import { sino } from '../../korean/numbers.js';
import { isSymbol, type Rule } from '../tokens/rule.js';
import type { Token } from '../tokens/tokens.js';
import signs from './signs.json' with { type: 'json' };

const ELEMENTS = new Set(signs.elements.split(' '));
const DIGITS: readonly string[] = signs.digits;
/** Tokens of the shortest and the longest formula. */
const SHORTEST = 3;
const LONGEST = 16;

export const formula: Rule = {
  name: 'formula',
  read(tokens, at) {
    if (tokens[at]?.kind !== 'latin' || isName(tokens[at - 1])) return undefined;
    const parts = partsAt(tokens, at);
    if (parts.length < SHORTEST || parts.length > LONGEST) return undefined;
    const text = spoken(parts.map((part) => part.text).join(''));
    return text === undefined ? undefined : { take: parts.length, text };
  },
};

/** Letters, digits and paired brackets: a closing bracket opened before the formula is not part of it. */
function partsAt(tokens: readonly Token[], at: number): readonly Token[] {
  let open = 0;
  let end = at;
  for (; end - at <= LONGEST; end += 1) {
    const token = tokens[end];
    if (isSymbol(token, '(')) open += 1;
    else if (isSymbol(token, ')') && open > 0) open -= 1;
    else if (!isName(token)) break;
  }
  return open === 0 ? tokens.slice(at, end) : [];
}

function isName(token: Token | undefined): boolean {
  return token?.kind === 'latin' || token?.kind === 'digits';
}

/** Undefined if any part is not an element, or there is no number. */
function spoken(formula: string): string | undefined {
  let [text, length] = ['', 0];
  for (const [part, symbol = '', count = ''] of formula.matchAll(/([A-Z][a-z]?|[()])([0-9]*)/g)) {
    if (!'()'.includes(symbol) && !ELEMENTS.has(symbol)) return undefined;
    length += part.length;
    text += spell(symbol) + (count.length === 1 ? (DIGITS[Number(count)] ?? '') : count && sino(count));
  }
  return length === formula.length && /[0-9]/.test(formula) ? text : undefined;
}
