/** What a write to a relation writes: a table, or through a plain view the table under it. */
import { relationOf, type Catalog, type Column, type Relation } from '../catalog/model.js';
import { errors } from '../base/errors.js';

export interface WriteTarget {
  /** The relation that was named. */
  readonly relation: Relation;
  /** The one that has the rows: the relation itself, or the table at the end of a chain of views. */
  readonly table: Relation;
  /** The table's column behind a column of the relation. */
  columnOf(name: string): Column | undefined;
  /** The relation's own name of a table column; undefined when a view leaves it out. */
  nameOf(column: Column): string | undefined;
}

/** A table and a stored view are written themselves; a computed view writes its base. */
export function writeTarget(catalog: Catalog, relation: Relation): WriteTarget {
  let table = relation;
  let names = new Map([...relation.columns.keys()].map((name) => [name, name]));
  while (table.collection === undefined) {
    const view = table;
    const base = view.from === undefined ? undefined : relationOf(catalog, view.from);
    if (base === undefined) throw errors['55000']({ values: { verb: 'write', relation: relation.name } });
    names = new Map(
      [...names].map(([name, column]) => [name, view.columns.get(column)?.base?.column ?? column]),
    );
    table = base;
  }
  const owner = table;
  const back = new Map([...names].map(([name, column]) => [column, name]));
  return {
    relation,
    table: owner,
    columnOf: (name) => owner.columns.get(names.get(name) ?? ''),
    nameOf: (column) => back.get(column.name),
  };
}

/** The methods of a relation, for `Allow`; PUT needs a primary key. */
export function allowedMethods(relation: Relation): string {
  const put = relation.primaryKey.length > 0 ? ['PUT'] : [];
  return ['OPTIONS', 'GET', 'HEAD', 'POST', ...put, 'PATCH', 'DELETE'].join(',');
}
