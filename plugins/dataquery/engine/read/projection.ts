/** The members of stored rows that a scan reads, as storage takes them. */
import { oncePer } from '../base/once-per.js';
import type { Condition, Source } from '../plan/level.js';
import type { Value } from '../plan/value.js';
import { searchedColumns } from '../words/word-index.js';
import type { Fields } from './fields.js';

export type Projection = Readonly<Record<string, 0 | 1>>;

/** What a scan reads, see `Scan`. */
interface Read {
  readonly source: Source;
  readonly fields: Fields;
  readonly withoutIds?: true;
  readonly computed: readonly Value[];
}

/**
 * `residual`: the conditions that storage does not decide. Undefined if every column is read, or a function that may
 * read any of them.
 */
export function projectionOf(
  { source, fields, computed, withoutIds }: Read,
  residual: readonly Condition[],
): Projection | undefined {
  if (fields === undefined || computed.length > 0) return undefined;
  const names = residual.length === 0 ? fields : withTested(fields, residual);
  // Rows may also keep words for the full-text index, which no request selects.
  const isWhole = names.size >= source.stored.columns.size && searchedColumns(source.stored).length === 0;
  if (isWhole) return undefined;
  return withoutIds === true && names.size > 0 ? keepingNoId(names) : keeping(names);
}

const keeping = oncePer((names: NonNullable<Fields>) => frozen(names, {}));
const keepingNoId = oncePer((names: NonNullable<Fields>) => frozen(names, { _id: 0 }));

/** Undefined if a function that may read any column computes one. */
function frozen(names: ReadonlySet<string>, rest: Projection): Projection | undefined {
  if ([...names].some(isComputed)) return undefined;
  const kept = names.size === 0 ? ['_id'] : [...names];
  // Storage prepares frozen objects once.
  return Object.freeze({ ...Object.fromEntries(kept.map((name) => [name, 1 as const])), ...rest });
}

function withTested(fields: ReadonlySet<string>, conditions: readonly Condition[]): Set<string> {
  const names = new Set(fields);
  for (const condition of conditions) collectFields(condition, names);
  return names;
}

function collectFields(condition: Condition, names: Set<string>): void {
  if ('conditions' in condition) for (const part of condition.conditions) collectFields(part, names);
  else if ('condition' in condition) collectFields(condition.condition, names);
  else if ('fields' in condition) for (const field of condition.fields) names.add(field);
  else if ('value' in condition) names.add(condition.value.field);
}

function isComputed(field: string): boolean {
  return field.startsWith('.');
}
