/** Where a relation's rows are: follows a view to the relation that holds its rows, and applies rights. */
import {
  relationOf,
  type Catalog,
  type Column,
  type Command,
  type Conditions,
  type Relation,
} from '../catalog/model.js';
import { parseQuery } from '../query/parse.js';
import type { ConditionTerm, FilterTerm, Operation } from '../query/query.js';
import { UTC } from '../values/time-zone.js';
import { inZone } from '../values/type.js';
import { namesIn, noColumn } from './columns.js';
import type { Condition, Source } from './level.js';
import { operationOn } from './operation.js';
import { ALL_RIGHTS, rightsOf, type Rights } from './rights.js';
import { columnValue, stepInto, type Value } from './value.js';

/** A catalog as one caller sees it. */
export interface SeenCatalog {
  readonly catalog: Catalog;
  readonly rights: Rights;
}

const READING: readonly Command[] = ['select'];

/**
 * The rows on which the caller may run all the commands. Throws 42501 for a relation without a readable column, or for
 * a view over columns that may not be read.
 */
export function sourceOf(
  seen: SeenCatalog,
  relation: Relation,
  commands: readonly Command[] = READING,
): Source {
  const { catalog, rights } = seen;
  const reads = commands.includes('select');
  const unread = rights.unread(relation, reads);
  if (relation.collection !== undefined || relation.from === undefined) {
    const conditions = rights.conditions(relation, commands);
    return { unread, stored: relation, columns: relation.columns, conditions, rows: undefined };
  }
  const from = relationOf(catalog, relation.from);
  if (from === undefined) throw new TypeError(`view ${relation.name} reads a relation that is not there`);
  const base = { catalog, rights: rightsOf(relation, rights) };
  const below = sourceOf(base, from, commands);
  if (reads) assertReadable(base, from, below, [...relation.columns.values()], relation.where);
  const columns = [...relation.columns.values()].flatMap((column) => {
    const found = column.base && below.columns.get(column.base.column);
    return found === undefined ? [] : [[column.name, found] as const];
  });
  return {
    ...below,
    unread,
    columns: new Map(columns),
    conditions: [...below.conditions, ...conditionsOn(from, below, relation.where)],
  };
}

/** With all rights: for the server's own reads. */
export function wholeSource(catalog: Catalog, relation: Relation): Source {
  return sourceOf({ catalog, rights: ALL_RIGHTS }, relation);
}

/** A view shows its columns, and its rows reveal the columns of its conditions. */
function assertReadable(
  { rights }: SeenCatalog,
  from: Relation,
  { unread }: Source,
  columns: readonly Column[],
  where: Conditions,
): void {
  if (unread === undefined) return;
  for (const { base } of columns) {
    if (base !== undefined && unread.has(base.column))
      throw rights.denied({ relation: from.name }, base.column);
  }
  for (const [name] of where) {
    for (const column of namesIn(name, from.columns))
      if (unread.has(column)) throw rights.denied({ relation: from.name }, column);
  }
}

/**
 * Conditions that the catalog declares, in the language of the query string, with moments in UTC in any session.
 * `$name` is an argument.
 */
export function conditionsOn(
  relation: Relation,
  source: Pick<Source, 'columns'>,
  declared: Conditions,
  args: ReadonlyMap<string, string | null> = new Map(),
): Condition[] {
  const search = declared.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
  return parseQuery(search).conditions.map(({ value }) =>
    declaredCondition(relation, source.columns, value, (of, operation) => withArguments(of, operation, args)),
  );
}

/** `operate` makes a condition from a value and an operation whose operand may be a name. */
export function declaredCondition(
  relation: Relation,
  columns: ReadonlyMap<string, Column>,
  term: ConditionTerm,
  operate: (value: Value, operation: Operation) => Condition,
): Condition {
  const condition = ((): Condition => {
    if (term.kind === 'logic') {
      const conditions = term.terms.map((item) => declaredCondition(relation, columns, item, operate));
      return { kind: term.op, conditions };
    }
    return operate(declaredValue(relation, columns, term), term.operation);
  })();
  return term.negated ? { kind: 'not', condition } : condition;
}

function declaredValue(
  relation: Relation,
  columns: ReadonlyMap<string, Column>,
  { field }: FilterTerm,
): Value {
  const column = columns.get(field.name);
  if (column === undefined) throw noColumn(relation.name, field.name);
  return stepInto(columnValue(column, inZone(column.type, UTC)), field);
}

/** A null argument makes the comparison unknown. */
function withArguments(
  value: Value,
  operation: Operation,
  args: ReadonlyMap<string, string | null>,
): Condition {
  let unknown = false;
  const fill = (text: string): string =>
    text.replace(/\$(\w+)/g, (token, name: string) => {
      if (!args.has(name)) return token;
      const argument = args.get(name) ?? null;
      unknown ||= argument === null;
      return argument ?? '';
    });
  const filled =
    operation.kind === 'in'
      ? { ...operation, values: operation.values.map(fill) }
      : operation.kind === 'is' || operation.kind === 'count'
        ? operation
        : { ...operation, value: fill(operation.value) };
  return unknown ? { kind: 'compare', value, op: 'eq', operand: null } : operationOn(value, filled);
}
