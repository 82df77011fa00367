/** Which members of a stored row a level reads: what storage has to send. */
import { oncePer } from '../base/once-per.js';
import type { Join, Level } from '../plan/level.js';
import type { Value } from '../plan/value.js';

/** Members of a stored row, `_id` aside; undefined for all. */
export type Fields = ReadonlySet<string> | undefined;

/** The root's output, its order and the joins of its embeds. */
export const rootFields = oncePer((level: Level): Fields => fieldsRead(level, []));

/** The same for an embed's level, with its own join members. */
export const embedFields = oncePer(
  ({ level, join }: { readonly level: Level; readonly join: Join }): Fields =>
    fieldsRead(level, join.kind === 'call' ? [] : join.child),
);

/** The members of a junction's rows that lead from one side to the other. */
export const linkFields = oncePer(
  ({ near, far }: Extract<Join, { kind: 'junction' }>): Fields => new Set([...near, ...far]),
);

/** The computed columns that a level prints or is ordered by. */
export const ownComputed = oncePer((level: Level): readonly Value[] =>
  ownValues(level).filter((value) => value.computed !== undefined),
);

/** The members that a level prints of its own rows. */
export const printedFields = oncePer((level: Level): readonly string[] => [
  ...new Set(level.output.flatMap((item) => (item.kind === 'value' ? [item.value.field] : []))),
]);

function fieldsRead(level: Level, joinedBy: readonly string[]): Fields {
  const fields = new Set(joinedBy);
  for (const value of ownValues(level)) fields.add(value.field);
  for (const { join } of level.embeds) {
    // A function that makes the related rows receives the whole row.
    if (join.kind === 'call') return undefined;
    for (const field of join.parent) fields.add(field);
  }
  return fields;
}

function ownValues(level: Level): Value[] {
  const printed = level.output.flatMap((item) => {
    if (item.kind === 'value') return [item.value];
    return item.kind === 'aggregate' && item.aggregate.value !== undefined ? [item.aggregate.value] : [];
  });
  return [...printed, ...level.order.flatMap(({ through, value }) => (through.length === 0 ? [value] : []))];
}
