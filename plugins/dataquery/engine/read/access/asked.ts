/** What conditions on related rows ask: how many a parent must have. */
import type { Condition, Level } from '../../plan/level.js';
import { COMPARISONS } from '../predicate.js';

export function asksRelated(condition: Condition): boolean {
  if ('conditions' in condition) return condition.conditions.some(asksRelated);
  if ('condition' in condition) return asksRelated(condition.condition);
  return condition.kind === 'related';
}

/** Whether a parent may have this many rows of the embed. */
export type Wanted = (rows: number) => boolean;

export const AT_LEAST_ONE: Wanted = (rows) => rows > 0;

/** Without a count, at least one in the embed's own window: with an offset more rows than that. */
export function wanted({ embed: { level }, count }: Extract<Condition, { kind: 'related' }>): Wanted {
  if (count === undefined && level.limit !== 0 && level.offset === 0) return AT_LEAST_ONE;
  if (count === undefined) return (rows) => level.limit !== 0 && rows > level.offset;
  const holds = COMPARISONS[count.op];
  return (rows) => holds(rows - count.operand);
}

/** Functions of modules make rows for one parent at a time, and a level's scan fills in computed columns. */
export function canLook({ conditions }: Level): boolean {
  return conditions.filter(asksRelated).every(function isLooked(condition: Condition): boolean {
    if ('conditions' in condition) return condition.conditions.every(isLooked);
    if ('condition' in condition) return isLooked(condition.condition);
    if (condition.kind === 'related')
      return condition.embed.join.kind !== 'call' && canLook(condition.embed.level);
    return !('value' in condition) || condition.value.computed === undefined;
  });
}

/** The members of a row by which its related rows are found. */
export function lookedMembers(conditions: readonly Condition[]): Set<string> {
  const members = new Set<string>();
  const collect = (condition: Condition): void => {
    if ('conditions' in condition) condition.conditions.forEach(collect);
    else if ('condition' in condition) collect(condition.condition);
    else if ('fields' in condition) for (const field of condition.fields) members.add(field);
    else if ('value' in condition) members.add(condition.value.field);
    else if (condition.kind === 'related' && condition.embed.join.kind !== 'call')
      for (const field of condition.embed.join.parent) members.add(field);
  };
  conditions.forEach(collect);
  return members;
}
