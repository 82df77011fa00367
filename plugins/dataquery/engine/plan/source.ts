/** Where the rows of a relation are: a view is followed to the relation that holds its rows. */
import { relationOf, type Catalog, type Column, type Conditions, type Relation } from '../catalog/model.js';
import { parseQuery } from '../query/parse.js';
import type { ConditionTerm } from '../query/query.js';
import { UTC } from '../values/time-zone.js';
import { inZone } from '../values/type.js';
import type { Condition, Source } from './level.js';
import { operationOn } from './operation.js';
import { columnValue, stepInto, type Value } from './value.js';
import { noColumn } from './columns.js';

export function sourceOf(catalog: Catalog, relation: Relation): Source {
  if (relation.collection !== undefined || relation.from === undefined) {
    return { stored: relation, columns: relation.columns, conditions: [], rows: undefined };
  }
  const from = relationOf(catalog, relation.from);
  if (from === undefined) throw new TypeError(`view ${relation.name} reads a relation that is not there`);
  const below = sourceOf(catalog, from);
  const columns = [...relation.columns.values()].flatMap((column) => {
    const base = column.base && below.columns.get(column.base.column);
    return base === undefined ? [] : [[column.name, base] as const];
  });
  return {
    ...below,
    columns: new Map(columns),
    conditions: [...below.conditions, ...conditionsOn(from, below, relation.where)],
  };
}

/**
 * Conditions that the catalog declares, in the language of the query string, whose moments are those of UTC in any
 * session. `$name` stands for an argument.
 */
export function conditionsOn(
  relation: Relation,
  source: Source,
  declared: Conditions,
  args: ReadonlyMap<string, string | null> = new Map(),
): Condition[] {
  const search = declared.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
  return parseQuery(search).conditions.map(({ value }) =>
    declaredCondition(relation, source.columns, value, args),
  );
}

function declaredCondition(
  relation: Relation,
  columns: ReadonlyMap<string, Column>,
  term: ConditionTerm,
  args: ReadonlyMap<string, string | null>,
): Condition {
  const condition = ((): Condition => {
    if (term.kind === 'logic') {
      const conditions = term.terms.map((item) => declaredCondition(relation, columns, item, args));
      return { kind: term.op, conditions };
    }
    const column = columns.get(term.field.name);
    if (column === undefined) throw noColumn(relation.name, term.field.name);
    return withArguments(stepInto(columnValue(column, inZone(column.type, UTC)), term.field), term, args);
  })();
  return term.negated ? { kind: 'not', condition } : condition;
}

type FilterTerm = Extract<ConditionTerm, { kind: 'filter' }>;

/** An argument that is null makes the comparison unknown. */
function withArguments(
  value: Value,
  { operation }: FilterTerm,
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
