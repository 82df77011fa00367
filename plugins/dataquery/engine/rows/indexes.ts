/** The storage indexes of a relation, from its keys. */
import type { IndexSpec } from 'plugboard/sdk';
import { searchedColumns, wordsMember } from '../words/word-index.js';
import { relationOf, type Catalog, type Relation } from '../catalog/model.js';

/**
 * Of a table: the primary key and every unique constraint (a null is a missing member, so that `sparse` allows rows
 * with a null, as SQL does), the columns of foreign keys, and the declared indexes. Of a stored view: the columns that
 * relationships may join on; its rows are not checked.
 */
export function relationIndexes(catalog: Catalog, relation: Relation): IndexSpec[] {
  const specs = new Map<string, IndexSpec>();
  const add = (columns: readonly string[], unique: boolean): void => {
    const fields = columns.flatMap((column) => relation.columns.get(column)?.field ?? []);
    const id = fields.join(',');
    if (fields.length === 0 || (specs.has(id) && !unique)) return;
    const keys = Object.fromEntries(fields.map((field) => [field, 1 as const]));
    // Orders end with the id if they do not name a key.
    specs.set(id, unique ? { keys, unique, sparse: true } : { keys: { ...keys, _id: 1 } });
  };
  const table = relation.kind === 'table';
  if (relation.primaryKey.length > 0) add(relation.primaryKey, table);
  for (const { columns } of relation.unique) add(columns, table);
  for (const { columns } of relation.foreignKeys) add(columns, false);
  for (const columns of relation.indexes) add(columns, false);
  for (const column of searchedColumns(relation)) {
    const member = wordsMember(column)!;
    const key = relation.primaryKey.flatMap((name) => relation.columns.get(name)?.field ?? []);
    // A page of search results is mostly in the order of the key.
    const behind = Object.fromEntries(key.map((field) => [field, 1 as const]));
    specs.set(member, { keys: { [member]: 1, ...behind, ...(key.length === 0 && { _id: 1 as const }) } });
  }
  if (!table) for (const column of joinedColumns(catalog, relation)) add([column], false);
  return [...specs.values()];
}

/** Columns of a view whose base column is part of a key. */
function joinedColumns(catalog: Catalog, view: Relation): string[] {
  return [...view.columns.values()]
    .filter(({ base }) => {
      const table = base === undefined ? undefined : relationOf(catalog, base);
      if (base === undefined || table === undefined) return false;
      const keys = [table.primaryKey, ...table.foreignKeys.map(({ columns }) => columns)];
      return keys.some((columns) => columns.includes(base.column));
    })
    .map(({ name }) => name);
}

/** By collection: indexes, as JSON, that earlier catalogs had and the current one lacks. */
export type Withdrawn = Readonly<Record<string, readonly string[]>>;

export function withdrawnIndexes(before: Catalog, after: Catalog, kept: Withdrawn): Withdrawn {
  const found: Record<string, readonly string[]> = { ...kept };
  const earlier = [...before.schemas.values()].flatMap(({ relations }) => [...relations.values()]);
  for (const { relations } of after.schemas.values()) {
    for (const relation of relations.values()) {
      const { collection } = relation;
      if (collection === undefined) continue;
      const old = earlier.find((one) => one.collection === collection);
      const had = old === undefined ? [] : texts(before, old);
      const has = new Set(texts(after, relation));
      const gone = [...new Set([...(kept[collection] ?? []), ...had])].filter((text) => !has.has(text));
      if (gone.length > 0) found[collection] = gone;
      else delete found[collection];
    }
  }
  return found;
}

function texts(catalog: Catalog, relation: Relation): string[] {
  return relationIndexes(catalog, relation).map((spec) => JSON.stringify(spec));
}
