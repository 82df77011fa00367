/** A condition as a function of a row: for what storage cannot decide, and for rows that are not stored. */
import { keyOf } from '../plan/key-set.js';
import type { Comparison, Condition } from '../plan/level.js';
import type { Stored, StoredRow } from '../values/stored.js';

export type Predicate = (row: StoredRow) => boolean;

/** Whether the condition is true of a row; with `wanted` false, whether it is false. Null makes it neither. */
export function predicateFor(condition: Condition, wanted = true): Predicate {
  switch (condition.kind) {
    case 'not':
      return predicateFor(condition.condition, !wanted);
    case 'and':
    case 'or': {
      const parts = condition.conditions.map((part) => predicateFor(part, wanted));
      return (condition.kind === 'and') === wanted
        ? (row) => parts.every((part) => part(row))
        : (row) => parts.some((part) => part(row));
    }
    case 'constant':
      return () => condition.is === wanted;
    case 'compare': {
      const { value, op, operand } = condition;
      if (operand === null) return () => false;
      const holds = COMPARISONS[op];
      return ofValue(condition.value, (stored) => holds(value.type.compare(stored, operand)) === wanted);
    }
    case 'in': {
      const { value, operands } = condition;
      const holds = (stored: Stored): boolean =>
        operands.some((operand) => value.type.compare(stored, operand) === 0);
      return ofValue(value, (stored) => holds(stored) === wanted);
    }
    case 'distinct': {
      const { value, operand } = condition;
      return (row) => {
        const stored = value.read(row);
        return (stored === null || value.type.compare(stored, operand) !== 0) === wanted;
      };
    }
    case 'null':
      return (row) => (condition.value.read(row) === null) === wanted;
    case 'boolean':
      return (row) => (condition.value.read(row) === condition.is) === wanted;
    case 'test':
      return ofValue(condition.value, (stored) => condition.test(stored) === wanted);
    case 'keys':
      return (row) => {
        const key = keyOf(row, condition.fields);
        return (key !== undefined && condition.keys.keys.has(key)) === wanted;
      };
    case 'related':
      throw new TypeError(`the rows of '${condition.embed.name}' have not been looked up`);
  }
}

/** Whether the comparison holds, by the sign of `compare`. */
export const COMPARISONS: Readonly<Record<Comparison, (order: number) => boolean>> = {
  eq: (order) => order === 0,
  neq: (order) => order !== 0,
  gt: (order) => order > 0,
  gte: (order) => order >= 0,
  lt: (order) => order < 0,
  lte: (order) => order <= 0,
};

function ofValue(
  value: { read(row: StoredRow): Stored | null },
  test: (stored: Stored) => boolean,
): Predicate {
  return (row) => {
    const stored = value.read(row);
    return stored !== null && test(stored);
  };
}
