/** The members of stored rows that a scan reads: what storage has to send. */
import type { Condition } from '../plan/condition.js';
import type { Scan } from './scan.js';

/** Undefined when every column is read, or a function that may read any of them. */
export function projectionOf({
  source,
  fields,
  conditions,
  order,
  computed,
}: Scan): Record<string, 1> | undefined {
  if (fields === undefined || computed.length > 0) return undefined;
  const names = new Set(fields);
  for (const { value } of order) names.add(value.field);
  for (const condition of conditions) collectFields(condition, names);
  if (names.size >= source.stored.columns.size || [...names].some(isComputed)) return undefined;
  return names.size === 0 ? { _id: 1 } : Object.fromEntries([...names].map((name) => [name, 1 as const]));
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
