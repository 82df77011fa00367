/** Which members of a document a query reads; decoding skips the others. */
import type { CollectionDefinition } from '../definition.js';
import { ALL, membersOf, type Members } from '../../bson/shape.js';
import type { SortKey } from './sort.js';

/** Members read by the filter and by expiry. */
export function testedMembers(collection: CollectionDefinition, filter: object): Members {
  const names = new Set<string>();
  if (!collect(filter, names)) return ALL;
  for (const { spec, pathNames } of collection.indexes) {
    if (spec.expireAfterSeconds === undefined) continue;
    for (const path of pathNames) names.add(memberOf(path));
    if (spec.partial !== undefined && !collect(spec.partial, names)) return ALL;
  }
  return membersOf(names);
}

function collect(filter: object, names: Set<string>): boolean {
  return Object.entries(filter).every(([key, value]: [string, unknown]) => {
    if (key.startsWith('$')) return (value as object[]).every((branch) => collect(branch, names));
    names.add(memberOf(key));
    return true;
  });
}

/** Members needed for this projection and for sorting in memory. */
export function shownMembers(kept: readonly string[] | undefined, sort: readonly SortKey[]): Members {
  return kept === undefined ? ALL : membersOf([...kept, ...sort.map(({ path }) => path)].map(memberOf));
}

export function memberOf(path: string): string {
  const dot = path.indexOf('.');
  return dot === -1 ? path : path.slice(0, dot);
}
