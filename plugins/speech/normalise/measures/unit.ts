/** A unit by its symbol, which may be several tokens: m², μg. */
import { textOf } from '../tokens/rule.js';
import type { Token } from '../tokens/tokens.js';
import units from './units.json' with { type: 'json' };

const NAMES: Readonly<Record<string, string>> = units.plain;
const LONGEST = 3;

export function unitAt(tokens: readonly Token[], at: number): { take: number; name: string } | undefined {
  for (let take = LONGEST; take > 0; take -= 1) {
    const parts = tokens.slice(at, at + take);
    if (
      parts.length < take ||
      parts.some(({ kind }) => kind !== 'latin' && kind !== 'symbol' && kind !== 'digits')
    )
      continue;
    // A letter after the unit makes it another word: 5GBs.
    if (tokens[at + take]?.kind === 'latin' && parts.at(-1)?.kind === 'latin') continue;
    const symbol = parts.map(({ text }) => text).join('');
    // 12A석: the letter of a seat or a building.
    if (/^[A-Z]$/.test(symbol) && /^(?:석|동|열|구역)/.test(textOf(tokens[at + take], 'hangul') ?? ''))
      continue;
    const name = NAMES[symbol];
    if (name !== undefined) return { take, name };
  }
  return undefined;
}
