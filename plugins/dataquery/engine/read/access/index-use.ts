/** Whether an index serves a filter, by the catalog: asking the store would take a round trip. */
import type { Catalog, Relation } from '../../catalog/model.js';
import { relationIndexes } from '../../rows/indexes.js';
import type { RowFilter } from '../row-filter.js';

const leading = new WeakMap<Relation, ReadonlySet<string>>();

export function isServed(catalog: Catalog, relation: Relation, filter: RowFilter): boolean {
  return isOneServed(leadingMembers(catalog, relation), filter);
}

/** Whether an index finds the rows of one value of the member, and has them in its order. */
export function isIndexed(catalog: Catalog, relation: Relation, member: string): boolean {
  return leadingMembers(catalog, relation).has(member);
}

function leadingMembers(catalog: Catalog, relation: Relation): ReadonlySet<string> {
  let members = leading.get(relation);
  if (members === undefined) {
    const specs = relationIndexes(catalog, relation);
    members = new Set(['_id', ...specs.map(({ keys }) => Object.keys(keys)[0]!)]);
    leading.set(relation, members);
  }
  return members;
}

/** By one of the parts of an `$and`, or by all parts of an `$or`. */
function isOneServed(members: ReadonlySet<string>, filter: object): boolean {
  return Object.entries(filter).some(([name, condition]: [string, unknown]) => {
    if (name === '$and') return (condition as object[]).some((part) => isOneServed(members, part));
    if (name === '$or') return (condition as object[]).every((part) => isOneServed(members, part));
    return members.has(name) && isRange(condition);
  });
}

const RANGES: ReadonlySet<string> = new Set(['$eq', '$in', '$gt', '$gte', '$lt', '$lte']);

/** Whether the matching values are contiguous, as a single value is. */
function isRange(condition: unknown): boolean {
  if (typeof condition !== 'object' || condition === null || condition instanceof Date) return true;
  return Object.entries(condition).some(
    ([operator, operand]) =>
      RANGES.has(operator) || (operand instanceof RegExp && operand.source.startsWith('^')),
  );
}
