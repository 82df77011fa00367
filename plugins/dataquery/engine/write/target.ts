/** The target of a write to a relation: a table, or through a plain view the table under it, and whose rights. */
import { relationOf, type Column, type Command, type Relation } from '../catalog/model.js';
import { errors } from '../base/errors.js';
import { rightsOf, type Rights } from '../plan/rights.js';
import type { SeenCatalog } from '../plan/source.js';

export interface WriteTarget {
  /** The named relation. */
  readonly relation: Relation;
  /** The relation that has the rows: itself, or the table at the end of a chain of views. */
  readonly table: Relation;
  /** The caller's rights on the table: all of them through a definer's view. */
  readonly rights: Rights;
  /** The table's column of a column of the relation. */
  columnOf(name: string): Column | undefined;
  /** The relation's own name of a table column; undefined if a view leaves it out. */
  nameOf(column: Column): string | undefined;
  /** Throws 42501 if the caller may not do it with columns of the relation, or with those under them. */
  assert(command: Command, columns?: Iterable<string>): void;
}

/** The relation itself, or a relation under it. */
interface Layer {
  readonly relation: Relation;
  readonly rights: Rights;
  /** Its columns by their names in the named relation. */
  readonly names: ReadonlyMap<string, string>;
}

/** A table or a stored view is written itself; a computed view writes its base. */
export function writeTarget({ catalog, rights }: SeenCatalog, relation: Relation): WriteTarget {
  const names = new Map([...relation.columns.keys()].map((name) => [name, name]));
  let layer: Layer = { relation, rights, names };
  const layers = [layer];
  while (layer.relation.collection === undefined) {
    const view: Relation = layer.relation;
    const base = view.from === undefined ? undefined : relationOf(catalog, view.from);
    if (base === undefined) throw errors['55000']({ values: { verb: 'write', relation: relation.name } });
    const under = [...layer.names].map(
      ([name, column]) => [name, view.columns.get(column)?.base?.column ?? column] as const,
    );
    layer = { relation: base, rights: rightsOf(view, layer.rights), names: new Map(under) };
    layers.push(layer);
  }
  const { relation: table, names: under } = layer;
  const back = new Map([...under].map(([name, column]) => [column, name]));
  return {
    relation,
    table,
    rights: layer.rights,
    columnOf: (name) => table.columns.get(under.get(name) ?? ''),
    nameOf: (column) => back.get(column.name),
    assert: (command, columns = []) => {
      const asked = [...columns];
      for (const one of layers) assertRight(one, command, asked);
    },
  };
}

/** Without columns one right is enough. */
function assertRight({ relation, rights, names }: Layer, command: Command, columns: readonly string[]): void {
  if (command === 'delete') {
    if (!rights.mayDelete(relation)) throw rights.denied({ relation: relation.name });
    return;
  }
  const granted = rights.granted(relation, command);
  if (granted === '*') return;
  if (granted.length === 0) throw rights.denied({ relation: relation.name });
  for (const column of columns) {
    const name = names.get(column) ?? column;
    if (!granted.includes(name)) throw rights.denied({ relation: relation.name }, name);
  }
}

/** The methods of a relation, for `Allow`; PUT needs a primary key. */
export function allowedMethods(relation: Relation): string {
  const put = relation.primaryKey.length > 0 ? ['PUT'] : [];
  return ['OPTIONS', 'GET', 'HEAD', 'POST', ...put, 'PATCH', 'DELETE'].join(',');
}
