/** What a new catalog would change for rows that are stored under another one. */
import type { Catalog, Check, Column, ForeignKey, Relation } from '../catalog/model.js';
import { relationOf } from '../catalog/model.js';
import { searchedColumns, wordsMember } from '../words/word-index.js';
import { relationKey, storedRelations, typeName, type Ledger } from './ledger.js';

/** A column whose values the rows do not have yet. */
export interface NewValues {
  readonly column: Column;
  /** The column that its values come from; undefined for a new column, which gets its default. */
  readonly from: Column | undefined;
}

/** What must hold for the rows of one relation, and be done to them, before the new catalog holds. */
export interface RelationChange {
  /** The old catalog does not have it. It may still have rows, of an earlier catalog. */
  readonly isNew: boolean;
  readonly before: Relation;
  readonly after: Relation;
  readonly values: readonly NewValues[];
  /** Columns that become not null. */
  readonly required: readonly Column[];
  readonly unique: readonly { readonly name: string; readonly columns: readonly Column[] }[];
  readonly foreignKeys: readonly { readonly key: ForeignKey; readonly parent: Relation }[];
  readonly checks: readonly string[];
  /** Columns whose words are not stored yet. */
  readonly words: readonly Column[];
  /** In words, one for each change that affects rows. */
  readonly work: readonly string[];
  /** In words, changes that affect no row. */
  readonly free: readonly string[];
}

export interface CatalogDifference {
  /** The new catalog, with the collections and members of its rows. */
  readonly catalog: Catalog;
  readonly ledger: Ledger;
  readonly relations: readonly RelationChange[];
  /** Added and removed relations, in words. */
  readonly free: readonly string[];
}

/** Both with the identities of their rows; `ledger` is the one of `after`. */
export function compareCatalogs(before: Catalog, after: Catalog, ledger: Ledger): CatalogDifference {
  const free: string[] = [];
  const old = new Map([...storedRelations(before)].map((relation) => [relation.collection, relation]));
  const now = new Set([...storedRelations(after)].map(({ collection }) => collection));
  for (const relation of storedRelations(after)) {
    const known = old.get(relation.collection);
    if (known === undefined) free.push(`new relation ${relationKey(relation)}`);
    else if (known.name !== relation.name) {
      free.push(`${relationKey(known)} is renamed to ${relation.name}`);
    }
  }
  for (const relation of old.values()) {
    if (now.has(relation.collection)) continue;
    free.push(`${relationKey(relation)} is no longer declared; its rows are kept`);
  }
  const relations = [...storedRelations(after)].map((relation): RelationChange => {
    const known = old.get(relation.collection);
    const earlier = known ?? unknownRelation(relation);
    return { isNew: known === undefined, ...compareRelations(before, after, earlier, relation) };
  });
  return { catalog: after, ledger, relations, free };
}

/** For a new relation: one with the same rows, of which nothing is known. */
function unknownRelation(after: Relation): Relation {
  const nothing = { primaryKey: [], unique: [], foreignKeys: [], checks: [], indexes: [] };
  return { ...after, ...nothing, columns: new Map() };
}

function compareRelations(
  catalogBefore: Catalog,
  catalogAfter: Catalog,
  before: Relation,
  after: Relation,
): Omit<RelationChange, 'isNew'> {
  const work: string[] = [];
  const free: string[] = [];
  const values: NewValues[] = [];
  const required: Column[] = [];
  const isTable = after.kind === 'table';
  const oldColumns = new Map([...before.columns.values()].map((column) => [column.id, column]));
  for (const column of after.columns.values()) {
    const old = oldColumns.get(column.id);
    if (old !== undefined && old.name !== column.name) free.push(`${old.name} is renamed to ${column.name}`);
    if (old !== undefined && typeName(old) !== typeName(column)) {
      work.push(`${column.name}: ${typeName(old)} becomes ${typeName(column)}`);
      values.push({ column, from: old });
    } else if (old === undefined && column.default !== undefined) {
      work.push(`new column ${column.name}, filled with its default`);
      values.push({ column, from: undefined });
    } else if (old === undefined) free.push(`new column ${column.name}`);
    if (isTable && isRequired(after, column) && (old === undefined || !isRequired(before, old))) {
      required.push(column);
      work.push(`${column.name} must not be null`);
    }
  }
  for (const old of before.columns.values()) {
    const isKept = [...after.columns.values()].some(({ id }) => id === old.id);
    if (!isKept) free.push(`${old.name} is no longer declared; its values are kept`);
  }
  const known = new Set(keys(before).map((key) => fieldsText(before, key.columns)));
  const unique = (isTable ? keys(after) : [])
    .filter(({ columns }) => !known.has(fieldsText(after, columns)))
    .map(({ name, columns }) => ({ name, columns: columns.flatMap((one) => after.columns.get(one) ?? []) }));
  for (const { name, columns } of unique) {
    work.push(`new unique key ${name} (${columns.map((column) => column.name).join(', ')})`);
  }
  const foreignKeys = (isTable ? after.foreignKeys : []).flatMap((key) => {
    const parent = relationOf(catalogAfter, key.references);
    if (parent?.kind !== 'table') return [];
    const text = referenceText(catalogAfter, after, key);
    if (before.foreignKeys.some((old) => referenceText(catalogBefore, before, old) === text)) return [];
    work.push(`new foreign key ${key.name} (${key.columns.join(', ')})`);
    return [{ key, parent }];
  });
  const oldChecks = new Set(before.checks.map((check) => checkText(before, check)));
  const checks = after.checks.filter((check) => !oldChecks.has(checkText(after, check)));
  for (const { name } of checks) work.push(`new check ${name}`);
  const kept = new Set(searchedColumns(before).map(wordsMember));
  const words = searchedColumns(after).filter((column) => !kept.has(wordsMember(column)));
  for (const { name, search } of words) work.push(`new index of the words of ${name} (${search})`);
  const oldIndexes = new Set(before.indexes.map((index) => fieldsText(before, index)));
  for (const index of after.indexes) {
    if (!oldIndexes.has(fieldsText(after, index))) work.push(`new index (${index.join(', ')})`);
  }
  return {
    before,
    after,
    values,
    required,
    unique,
    foreignKeys,
    checks: checks.map(({ name }) => name),
    words,
    work,
    free,
  };
}

function isRequired(relation: Relation, { name, required, generated }: Column): boolean {
  return !generated && (required || relation.primaryKey.includes(name));
}

function keys(relation: Relation): { readonly name: string; readonly columns: readonly string[] }[] {
  const primary = { name: `${relation.name}_pkey`, columns: relation.primaryKey };
  return [...(relation.primaryKey.length === 0 ? [] : [primary]), ...relation.unique];
}

function fieldsText(relation: Relation, columns: readonly string[]): string {
  return columns.map((name) => relation.columns.get(name)?.field ?? '').join(',');
}

/** By members, so that a rename does not change it. */
function checkText(relation: Relation, { conditions }: Check): string {
  return JSON.stringify(
    conditions.map(([name, value]) => [relation.columns.get(name)?.field ?? `in words ${name}`, value]),
  );
}

/** Which members of the child refer to which members of which parent. */
function referenceText(catalog: Catalog, child: Relation, { columns, references }: ForeignKey): string {
  const parent = relationOf(catalog, references);
  const parentFields = parent === undefined ? '' : fieldsText(parent, references.columns);
  return JSON.stringify([fieldsText(child, columns), parent?.collection, parentFields]);
}
