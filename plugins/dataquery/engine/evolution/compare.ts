/** What a new catalog would change about rows that are stored under another one. */
import type { Catalog, Column, ForeignKey, Relation } from '../catalog/model.js';
import { relationOf } from '../catalog/model.js';
import { searchedColumns, wordsMember } from '../words/word-index.js';
import { relationKey, withFields, type Fields, type Retired } from './fields.js';

/** A column whose values the rows do not have yet. */
export interface NewValues {
  readonly column: Column;
  /** The column that they are made of; undefined for a new column, which is filled with its default. */
  readonly from: Column | undefined;
}

/** What must be true of the rows of one relation, and done to them, before the new catalog holds. */
export interface RelationChange {
  /** The old catalog does not have it. It may have rows all the same, of a catalog before that one. */
  readonly isNew: boolean;
  readonly before: Relation;
  readonly after: Relation;
  readonly values: readonly NewValues[];
  /** Columns that must not be null and could be. */
  readonly required: readonly Column[];
  readonly unique: readonly { readonly name: string; readonly columns: readonly Column[] }[];
  readonly foreignKeys: readonly { readonly key: ForeignKey; readonly parent: Relation }[];
  readonly checks: readonly string[];
  /** Columns whose words rows do not keep yet. */
  readonly words: readonly Column[];
  /** In words, one for each change that concerns rows. */
  readonly work: readonly string[];
  /** In words, what neither needs nor breaks any row. */
  readonly free: readonly string[];
}

export interface CatalogDifference {
  /** The new catalog, with the members that its columns have in stored rows. */
  readonly catalog: Catalog;
  readonly fields: Fields;
  readonly retired: Retired;
  readonly relations: readonly RelationChange[];
  /** Relations that come and go, in words. */
  readonly free: readonly string[];
}

export function compareCatalogs(before: Catalog, plainAfter: Catalog, kept: Retired): CatalogDifference {
  const fields: Record<string, Record<string, string>> = {};
  const retired: Record<string, Retired[string]> = { ...kept };
  const free: string[] = [];
  for (const relation of stored(plainAfter)) {
    const key = relationKey(relation);
    const { isNew, old } = relationBefore(before, relation);
    if (isNew) free.push(`new relation ${key}`);
    const own = fieldsOf(old, relation, retired[key]);
    if (Object.keys(own).length > 0) fields[key] = own;
    retired[key] = retiredOf(old, relation, own, retired[key]);
  }
  for (const old of stored(before)) {
    const now = relationOf(plainAfter, { schema: old.schema, relation: old.name });
    if (now?.collection !== undefined) continue;
    const key = relationKey(old);
    free.push(`${key} is no longer declared; its rows are kept`);
    retired[key] = retiredOf(old, { ...old, columns: new Map() }, {}, retired[key]);
  }
  const catalog = withFields(plainAfter, fields);
  const relations = [...stored(catalog)].map((after): RelationChange => {
    const { isNew, old } = relationBefore(before, after);
    return { isNew, ...compareRelations(before, catalog, old, after) };
  });
  return { catalog, fields, retired, relations, free };
}

/** Of a relation that is new: one of the same rows, of which nothing is known. */
function relationBefore(before: Catalog, after: Relation): { isNew: boolean; old: Relation } {
  const old = relationOf(before, { schema: after.schema, relation: after.name });
  if (old?.collection !== undefined) return { isNew: false, old };
  const nothing = { primaryKey: [], unique: [], foreignKeys: [], checks: [], indexes: [] };
  return { isNew: true, old: { ...after, ...nothing, columns: new Map() } };
}

function* stored(catalog: Catalog): Generator<Relation, void> {
  for (const { relations } of catalog.schemas.values()) {
    for (const relation of relations.values()) if (relation.collection !== undefined) yield relation;
  }
}

/** The column of the old relation that the new one goes on with. */
function columnBefore(before: Relation, after: Relation, column: Column): Column | undefined {
  const same = before.columns.get(column.name);
  if (same !== undefined || column.was === undefined || after.columns.has(column.was)) return same;
  return before.columns.get(column.was);
}

/** The members of columns that have another one than their name. No member is used for two columns, ever. */
function fieldsOf(before: Relation, after: Relation, kept: Retired[string] = {}): Record<string, string> {
  const used = new Set([
    ...[...before.columns.values()].map(({ field }) => field),
    ...Object.values(kept).map(({ field }) => field),
  ]);
  const fields: Record<string, string> = {};
  for (const column of after.columns.values()) {
    const old = columnBefore(before, after, column);
    const again = old === undefined && Object.hasOwn(kept, column.name) ? kept[column.name] : undefined;
    let { field } = column;
    if (old !== undefined && sameValues(old, column)) ({ field } = old);
    else if (again?.type === typeName(column)) ({ field } = again);
    else for (let at = 2; used.has(field); at += 1) field = `${column.field}~${at}`;
    if (field !== column.field) fields[column.name] = field;
  }
  return fields;
}

/** What the old relation holds beyond the new one, with what was kept before. */
function retiredOf(
  before: Relation,
  after: Relation,
  fields: Readonly<Record<string, string>>,
  kept: Retired[string] = {},
): Retired[string] {
  const used = new Set([...after.columns.values()].map(({ name, field }) => fields[name] ?? field));
  const gone = [...before.columns.values()].map(
    (column) => [column.name, { field: column.field, type: typeName(column) }] as const,
  );
  return Object.fromEntries([...Object.entries(kept), ...gone].filter(([, { field }]) => !used.has(field)));
}

function sameValues(a: Column, b: Column): boolean {
  return typeName(a) === typeName(b);
}

/** Of an enumeration with its labels, and of a domain by the type that it is over. */
function typeName({ type }: Column): string {
  return type.labels === undefined ? type.name : `enum(${type.labels.join(',')})`;
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
  for (const column of after.columns.values()) {
    const old = columnBefore(before, after, column);
    if (old !== undefined && old.name !== column.name) free.push(`${old.name} is renamed to ${column.name}`);
    if (old !== undefined && !sameValues(old, column)) {
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
    const isKept = [...after.columns.values()].some((column) => columnBefore(before, after, column) === old);
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
  const oldChecks = new Set(before.checks.map(({ conditions }) => JSON.stringify(conditions)));
  const checks = after.checks.filter(({ conditions }) => !oldChecks.has(JSON.stringify(conditions)));
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

/** Which members of the child hold which members of which parent. */
function referenceText(catalog: Catalog, child: Relation, { columns, references }: ForeignKey): string {
  const parent = relationOf(catalog, references);
  const parentFields = parent === undefined ? '' : fieldsText(parent, references.columns);
  return JSON.stringify([fieldsText(child, columns), references.schema, references.relation, parentFields]);
}
