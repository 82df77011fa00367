/** Views over one relation; a catalog has no others. */
import type { Node, ViewStmt } from 'libpg-query';
import { CannotSay, termOf } from './conditions.js';
import { shown, type ColumnDraft, type Draft } from './model.js';
import { as, literal, names, rangeName } from './nodes.js';
import { written } from './rules.js';
import type { Statement } from './statements.js';
import { tableScope } from './tables.js';

const CLAUSES = [
  'groupClause',
  'havingClause',
  'distinctClause',
  'limitCount',
  'limitOffset',
  'withClause',
  'windowClause',
  'valuesLists',
  'sortClause',
  'larg',
];

export function createView(
  draft: Draft,
  { view, query, options, aliases, withCheckOption }: ViewStmt,
  at: Statement,
): void {
  const name = rangeName(view ?? {});
  const select = as(query, 'SelectStmt');
  const from = as(select?.fromClause?.[0], 'RangeVar');
  const base = from === undefined ? undefined : draft.relation(rangeName(from));
  try {
    if (select === undefined || from === undefined || base === undefined || select.fromClause?.length !== 1)
      throw new CannotSay();
    if (CLAUSES.some((clause) => clause in select)) throw new CannotSay();
    const scope = { ...tableScope(base), name: from.alias?.aliasname ?? base.name.name };
    const columns = new Map<string, ColumnDraft>();
    for (const [index, node] of (select.targetList ?? []).entries()) {
      const [column, shownAs] = plainColumn(node);
      const type = scope.columns.get(column);
      if (type === undefined) throw new CannotSay();
      columns.set(names(aliases)[index] ?? shownAs, { type, base: column });
    }
    const where =
      select.whereClause === undefined
        ? undefined
        : written(
            termOf(select.whereClause, scope, { scopeOf: () => undefined, isPolicy: false }),
            base.name.schema,
          );
    if (where === false) throw new CannotSay();
    const relation = draft.add(name, 'view');
    relation.from = base.name;
    relation.isInvoker = (options ?? []).some((node) => {
      const option = as(node, 'DefElem');
      return (
        option?.defname === 'security_invoker' &&
        !['false', 'off'].includes(as(option.arg, 'String')?.sval ?? 'true')
      );
    });
    if (where !== undefined && where !== true) relation.where = where;
    for (const [key, column] of columns) relation.columns.set(key, column);
    if (where !== undefined && withCheckOption !== 'NO_CHECK_OPTION')
      draft.omit(
        name.schema,
        at.line,
        `${shown(name)}: its check option; a row may be written that it does not show`,
      );
  } catch (error) {
    if (!(error instanceof CannotSay)) throw error;
    draft.leaveOut(name, at.line, 'a view that is more than columns of one relation and a filter');
  }
}

/** A column and its name in the view. */
function plainColumn(node: Node): [column: string, name: string] {
  const target = as(node, 'ResTarget');
  const column = names(as(target?.val, 'ColumnRef')?.fields).at(-1);
  if (column === undefined || literal(target?.val) !== undefined) throw new CannotSay();
  return [column, target?.name ?? column];
}

/** A view over an omitted relation, such as a partition, is omitted too. */
export function viewsWithoutBase(draft: Draft): void {
  for (const { name, from } of draft.relations.values())
    if (from !== undefined && draft.relation(from) === undefined)
      draft.leaveOut(name, 0, `a view of ${shown(from)}, which is left out`);
}
