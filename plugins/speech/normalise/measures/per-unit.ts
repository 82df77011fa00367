/** The unit after a slash: /kg, /월, /bbl. */
import { sino } from '../../korean/numbers.js';
import { isSymbol, textOf } from '../tokens/rule.js';
import type { Token } from '../tokens/tokens.js';
import { unitAt } from './unit.js';
import units from './units.json' with { type: 'json' };

const PER: Readonly<Record<string, string>> = units.per;

/** `text` is said before 당; `rest` is what follows a Hangul unit in its word. */
export function perUnit(
  tokens: readonly Token[],
  at: number,
): { take: number; text: string; rest: string } | undefined {
  if (!isSymbol(tokens[at], '/')) return undefined;
  const word = textOf(tokens[at + 1], 'hangul');
  if (word !== undefined) {
    const name = Object.keys(PER)
      .filter((unit) => word.startsWith(unit))
      .sort((a, b) => b.length - a.length)[0];
    return name === undefined ? undefined : { take: 2, text: PER[name] ?? '', rest: word.slice(name.length) };
  }
  const named = PER[textOf(tokens[at + 1], 'latin') ?? ''];
  if (named !== undefined && tokens[at + 2]?.kind !== 'digits') return { take: 2, text: named, rest: '' };
  // 2,000원/100g: the amount goes with its unit.
  const amount = textOf(tokens[at + 1], 'digits');
  if (amount !== undefined) {
    const unit = unitAt(tokens, at + 2);
    return unit && { take: unit.take + 2, text: `${sino(amount)} ${unit.name}`, rest: '' };
  }
  const unit = unitAt(tokens, at + 1);
  return unit && { take: unit.take + 1, text: unit.name, rest: '' };
}
