/** Spans of dates and times: 삼월부터 오월까지. */
import { skipSpace, wordsAfter } from '../tokens/context.js';
import { isSymbol } from '../tokens/rule.js';
import type { Token } from '../tokens/tokens.js';

export const SPANS = '~〜';
/** Counters of dates and times. */
export const DATES = ['년', '월', '일', '시', '분', '년도', '학년', '주차', '교시'];

/** The 까지 that closes a span whose last part is at `from` to `to`, unless it is written. */
export function closing(tokens: readonly Token[], from: number, to: number): string {
  const before = tokens[from - 1]?.kind === 'space' ? from - 2 : from - 1;
  if (!isSymbol(tokens[before], `${SPANS}-–`)) return '';
  const [next] = wordsAfter(tokens, to);
  // ~1시 30분: the minutes close it.
  const more = skipSpace(tokens, to);
  if (tokens[more]?.kind === 'digits' && /^[월일시분초]/.test(tokens[more + 1]?.text ?? '')) return '';
  return tokens[to]?.kind === 'hangul' || next.startsWith('까지') ? '' : '까지';
}
