/** The row that a new one meets: an upsert's target, and the one row of a PUT. */
import type { Column } from '../catalog/model.js';
import { errors } from '../base/errors.js';
import { readGiven, type Row } from './rows.js';
import type { ConditionTerm, Query } from '../query/query.js';
import type { Stored } from '../values/stored.js';
import type { Conflict } from './mutations.js';
import type { WriteTarget } from './target.js';
import { columnsOf, uniqueConstraints } from './unique.js';

/** By `on_conflict`, or by the primary key; without either there is no conflict. Throws 42P10. */
export function conflictOf(
  target: WriteTarget,
  onConflict: readonly string[] | undefined,
  resolution: Conflict['resolution'],
  assigned: Conflict['assigned'],
): Conflict | undefined {
  const { table, relation } = target;
  const named = onConflict?.filter((name) => name !== '') ?? [];
  if (named.length === 0) {
    const columns = columnsOf(table, table.primaryKey);
    const viewKey = relation.primaryKey.flatMap((name) => target.columnOf(name) ?? []);
    const key = columns.length > 0 ? columns : viewKey;
    return key.length === 0 ? undefined : { columns: key, resolution, assigned };
  }
  const columns = named.map((name) => {
    const column = target.columnOf(name);
    if (column === undefined) throw errors['42703']({ message: `column "${name}" does not exist` });
    return column;
  });
  const wanted = columns
    .map(({ name }) => name)
    .toSorted()
    .join('\0');
  const constraints = [...uniqueConstraints(table), { name: '', columns: table.primaryKey }];
  if (!constraints.some((constraint) => constraint.columns.toSorted().join('\0') === wanted)) {
    throw errors['42P10']();
  }
  return { columns, resolution, assigned };
}

export interface KeyPart {
  readonly name: string;
  readonly column: Column;
  readonly value: Stored;
}

/** The key in the filters of a PUT: exactly the primary key, each column with `eq`. Throws SVC105, SVC114. */
export function putKey(target: WriteTarget, query: Query): readonly KeyPart[] {
  if (
    query.limits.some(({ path }) => path.length === 0) ||
    query.offsets.some(({ path }) => path.length === 0)
  ) {
    throw errors.SVC114();
  }
  const key = target.relation.primaryKey;
  const root = query.conditions
    .filter(({ path }) => path.length === 0)
    .map(({ value }) => keyPart(target, value));
  const names = root.map((part) => part?.name ?? '').toSorted();
  if (key.length === 0 || names.join('\0') !== key.toSorted().join('\0')) throw errors.SVC105();
  return root.filter((part) => part !== undefined);
}

function keyPart(target: WriteTarget, term: ConditionTerm): KeyPart | undefined {
  if (term.kind !== 'filter' || term.negated || term.field.steps.length > 0) return undefined;
  const { operation, field } = term;
  if (operation.kind !== 'compare' || operation.op !== 'eq' || operation.quantifier !== undefined)
    return undefined;
  const column = target.columnOf(field.name);
  return column === undefined
    ? undefined
    : { name: field.name, column, value: column.type.parse(operation.value) };
}

/** The row of the body that has the key; throws SVC115 unless exactly one has. */
export function rowsOfKey(rows: readonly Row[], key: readonly KeyPart[]): Row {
  const found = rows.filter((row) =>
    key.every(({ name, column, value }) => {
      const own = readGiven(column.type, row[name]);
      return own !== null && column.type.compare(own, value) === 0;
    }),
  );
  const [row] = found;
  if (row === undefined || found.length > 1) throw errors.SVC115();
  return row;
}
