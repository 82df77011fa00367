/** Which members of a document a query reads: the others are passed over in its bytes. */
import type { CollectionDefinition } from './catalog.js';

/** `undefined`: any of them. */
export type Members = ReadonlySet<string> | undefined;

/** What the filter and the expiry of the collection look at. */
export function testedMembers(collection: CollectionDefinition, filter: object): Members {
  const members = new Set<string>();
  if (!collect(filter, members)) return undefined;
  for (const { spec, pathNames } of collection.indexes) {
    if (spec.expireAfterSeconds === undefined) continue;
    for (const path of pathNames) members.add(memberOf(path));
    if (spec.partial !== undefined && !collect(spec.partial, members)) return undefined;
  }
  return members;
}

function collect(filter: object, members: Set<string>): boolean {
  return Object.entries(filter).every(([key, value]: [string, unknown]) => {
    if (key === '$expr') return false;
    if (key.startsWith('$')) return (value as object[]).every((branch) => collect(branch, members));
    members.add(memberOf(key));
    return true;
  });
}

/** What an answer with this projection and an order made in memory needs. */
export function shownMembers(kept: readonly string[] | undefined, sort: readonly string[]): Members {
  return kept && new Set([...kept, ...sort].map(memberOf));
}

export function memberOf(path: string): string {
  const dot = path.indexOf('.');
  return dot === -1 ? path : path.slice(0, dot);
}
