/**
 * Keys that have all that is read. As no row has a null in them, a filter that says so lets storage answer from their
 * index alone, which lacks rows with a null.
 */
import type { Relation } from '../catalog/model.js';
import { keysOf } from './key-order.js';
import type { RowFilter } from './row-filter.js';

/** The members of the first key that includes everything that is read and filtered by; empty when no key does. */
export function coveringKey(stored: Relation, filter: RowFilter, read: readonly string[]): readonly string[] {
  if (stored.kind !== 'table') return [];
  const members = new Set(read);
  collectMembers(filter, members);
  return keysOf(stored).find((fields) => [...members].every((member) => fields.includes(member))) ?? [];
}

function collectMembers(filter: object, members: Set<string>): void {
  for (const [name, value] of Object.entries(filter)) {
    if (!name.startsWith('$')) members.add(name);
    else if (Array.isArray(value)) for (const part of value as object[]) collectMembers(part, members);
  }
}
