/**
 * Views inherit the relationships of their base tables: a view that selects every column of one side of a foreign key
 * can replace the table on that side. A base column selected twice gives one relationship for every combination.
 */
import { relationOf, type Catalog, type ColumnName, type Relation } from '../catalog/model.js';
import type { KeyRelationship } from './relationship.js';

/** Per table its views, each with the view's columns for every base column. */
type ViewsOf = ReadonlyMap<Relation, readonly ViewOfTable[]>;

interface ViewOfTable {
  readonly view: Relation;
  readonly columns: ReadonlyMap<string, readonly string[]>;
}

/** View to table, table to view and view to view, for each relationship of tables (seen from the foreign key's side). */
export function viewRelationships(catalog: Catalog, ofTables: readonly KeyRelationship[]): KeyRelationship[] {
  const viewsOf = findViews(catalog);
  return ofTables.flatMap((relationship) => {
    const origins = standIns(
      viewsOf,
      relationship.origin,
      relationship.columns.map(([column]) => column),
    );
    const targets = standIns(
      viewsOf,
      relationship.target,
      relationship.columns.map(([, column]) => column),
    );
    return origins
      .flatMap((origin) => targets.map((target) => ({ origin, target })))
      .filter(({ origin, target }) => origin.relation.kind === 'view' || target.relation.kind === 'view')
      .map(({ origin, target }) => ({
        ...relationship,
        origin: origin.relation,
        target: target.relation,
        columns: origin.columns.map((column, at) => [column, target.columns[at]!] as const),
        self: origin.relation === target.relation,
      }));
  });
}

interface StandIn {
  readonly relation: Relation;
  readonly columns: readonly string[];
}

/** The table itself, and every view that has all the columns, with the view's names for them. */
function standIns(viewsOf: ViewsOf, table: Relation, columns: readonly string[]): StandIn[] {
  const views = (viewsOf.get(table) ?? []).flatMap(({ view, columns: names }) =>
    combinations(columns.map((column) => names.get(column) ?? [])).map((chosen) => ({
      relation: view,
      columns: chosen,
    })),
  );
  return [{ relation: table, columns }, ...views];
}

/** The Cartesian product of the lists. Capped: a view may name a column many times. */
function combinations(lists: readonly (readonly string[])[]): string[][] {
  let chosen: string[][] = [[]];
  for (const list of lists) {
    chosen = chosen.flatMap((before) => list.map((name) => [...before, name])).slice(0, 64);
  }
  return chosen;
}

function findViews(catalog: Catalog): ViewsOf {
  const found = new Map<Relation, Map<Relation, Map<string, string[]>>>();
  for (const schema of catalog.schemas.values()) {
    for (const view of schema.relations.values()) {
      if (view.kind !== 'view') continue;
      for (const column of view.columns.values()) {
        const base = column.base && baseOf(catalog, column.base);
        if (base === undefined) continue;
        const views = entry(found, base.table, () => new Map<Relation, Map<string, string[]>>());
        const names = entry(views, view, () => new Map<string, string[]>());
        entry(names, base.column, () => [] as string[]).push(column.name);
      }
    }
  }
  return new Map(
    [...found].map(([table, views]) => [table, [...views].map(([view, columns]) => ({ view, columns }))]),
  );
}

/** Follows the chain of views to the table's column; each view must be in a searchable schema. */
function baseOf(catalog: Catalog, start: ColumnName): { table: Relation; column: string } | undefined {
  const searched = new Set([...catalog.exposed, ...catalog.searchPath]);
  const seen = new Set<Relation>();
  let name: ColumnName | undefined = start;
  while (name !== undefined) {
    const relation = relationOf(catalog, name);
    if (relation === undefined || seen.has(relation)) return undefined;
    if (relation.kind === 'table') return { table: relation, column: name.column };
    if (!searched.has(relation.schema)) return undefined;
    seen.add(relation);
    name = relation.columns.get(name.column)?.base;
  }
  return undefined;
}

function entry<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}
