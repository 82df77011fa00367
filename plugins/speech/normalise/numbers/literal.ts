/** Written numbers: digits, grouped digits, decimals, and digits followed by 만, 억 or 조. */
import { byDigit, sino } from '../../korean/numbers.js';
import { isSymbol, textOf } from '../tokens/rule.js';
import type { Token } from '../tokens/tokens.js';

export interface Literal {
  /** Number of tokens. */
  readonly take: number;
  /** Without separators. */
  readonly integer: string;
  /** The digits after the point; undefined without one. */
  readonly fraction: string | undefined;
}

export function literalAt(tokens: readonly Token[], at: number): Literal | undefined {
  const first = textOf(tokens[at], 'digits');
  if (first === undefined) return undefined;
  let integer = first;
  let take = 1;
  while (first.length <= 3 && isSymbol(tokens[at + take], ',') && isGroup(tokens[at + take + 1])) {
    integer += tokens[at + take + 1]?.text ?? '';
    take += 2;
  }
  const fraction = isSymbol(tokens[at + take], '.') ? textOf(tokens[at + take + 1], 'digits') : undefined;
  return { take: fraction === undefined ? take : take + 2, integer, fraction };
}

function isGroup(token: Token | undefined): boolean {
  return token?.kind === 'digits' && token.text.length === 3;
}

/** As a number: 삼 점 일사 for 3.14. Numbers with a leading zero are names, read digit by digit. */
export function readLiteral({ integer, fraction }: Literal): string {
  const named = fraction === undefined && integer.length > 1 && integer.startsWith('0');
  const whole = named ? byDigit(integer) : sino(integer);
  return fraction === undefined ? whole : `${whole} 점 ${byDigit(fraction, '영')}`;
}

const MULTIPLIERS = '십백천만억조경';

/** The 만 or 천만 directly after a number, as in 3만 원. */
export function multiplierOf(token: Token | undefined): string {
  const text = textOf(token, 'hangul') ?? '';
  let length = 0;
  while (length < text.length && MULTIPLIERS.includes(text.charAt(length))) length += 1;
  return text.slice(0, length);
}
