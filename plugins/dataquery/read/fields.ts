/** Which members of a stored row a level reads: what storage has to send. */
import type { Level } from '../plan/level.js';
import type { Value } from '../plan/value.js';

/** Those of its output, its order and its joins, and the ones that the caller joins by; undefined for all. */
export function fieldsRead(level: Level, joinedBy: readonly string[]): Set<string> | undefined {
  const fields = new Set(joinedBy);
  for (const value of ownValues(level)) fields.add(value.field);
  for (const { join } of level.embeds) {
    // A function that makes the related rows receives the whole row.
    if (join.kind === 'call') return undefined;
    for (const field of join.parent) fields.add(field);
  }
  return fields;
}

/** The computed columns that a level prints or is ordered by. */
export function ownComputed(level: Level): Value[] {
  return ownValues(level).filter((value) => value.computed !== undefined);
}

function ownValues(level: Level): Value[] {
  const printed = level.output.flatMap((item) => {
    if (item.kind === 'value') return [item.value];
    return item.kind === 'aggregate' && item.aggregate.value !== undefined ? [item.aggregate.value] : [];
  });
  return [...printed, ...level.order.flatMap(({ through, value }) => (through.length === 0 ? [value] : []))];
}
