/** What conditions ask of related rows: how many a parent must have. */
import type { Condition } from '../plan/level.js';
import { COMPARISONS } from './predicate.js';

export function asksRelated(condition: Condition): boolean {
  if ('conditions' in condition) return condition.conditions.some(asksRelated);
  if ('condition' in condition) return asksRelated(condition.condition);
  return condition.kind === 'related';
}

/** Whether a parent may have so many rows of the embed. */
export type Wanted = (rows: number) => boolean;

export const AT_LEAST_ONE: Wanted = (rows) => rows > 0;

/** Without a count at least one, where the embed's own window counts: with an offset more rows than that. */
export function wanted({ embed: { level }, count }: Extract<Condition, { kind: 'related' }>): Wanted {
  if (count === undefined && level.limit !== 0 && level.offset === 0) return AT_LEAST_ONE;
  if (count === undefined) return (rows) => level.limit !== 0 && rows > level.offset;
  const holds = COMPARISONS[count.op];
  return (rows) => holds(rows - count.operand);
}
