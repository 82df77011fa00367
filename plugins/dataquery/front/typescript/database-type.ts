/** The catalog as a TypeScript type, in the form that typed clients of such APIs take: `Database`. */
import type { Catalog, CatalogFunction, Column, Relation } from '../../engine/catalog/model.js';
import { schemaCache } from '../../engine/relationships/schema-cache.js';
import type { ValueType } from '../../engine/values/type.js';

/** A module; names that are no identifiers are quoted. */
export function databaseType(catalog: Catalog): string {
  const schemas = catalog.exposed.map((name) => member(name, schemaType(catalog, name)));
  return `${HEAD}\nexport type Database = ${block(schemas)};\n`;
}

const HEAD = `/** Made by "plugboard types". */
export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];
`;

function schemaType(catalog: Catalog, name: string): string {
  const schema = catalog.schemas.get(name);
  const relations = [...(schema?.relations.values() ?? [])];
  const ofKind = (kind: Relation['kind']): string =>
    record(
      relations.filter((one) => one.kind === kind).map((one) => member(one.name, relationType(catalog, one))),
    );
  const functions = [...(schema?.functions.values() ?? [])].flatMap((overloads) => functionType(overloads));
  return block([
    member('Tables', ofKind('table')),
    member('Views', ofKind('view')),
    member('Functions', record(functions)),
    member('Enums', NONE),
    member('CompositeTypes', NONE),
  ]);
}

function relationType(catalog: Catalog, relation: Relation): string {
  const columns = [...relation.columns.values()];
  const written = columns.filter(({ generated }) => !generated);
  const isNotNull = ({ name, required }: Column): boolean => required || relation.primaryKey.includes(name);
  const type = (column: Column): string =>
    isNotNull(column) ? columnType(column) : `${columnType(column)} | null`;
  const mayBeLeftOut = (column: Column): boolean => column.default !== undefined || !isNotNull(column);
  return block([
    member('Row', block(columns.map((column) => member(column.name, type(column))))),
    member('Insert', block(written.map((column) => member(column.name, type(column), mayBeLeftOut(column))))),
    member('Update', block(written.map((column) => member(column.name, type(column), true)))),
    member('Relationships', relationshipsType(catalog, relation)),
  ]);
}

/** Of the relation's own foreign keys: the other direction follows from them. */
function relationshipsType(catalog: Catalog, relation: Relation): string {
  const held = schemaCache(catalog)
    .relationshipsOf(relation)
    .flatMap((one) => ('references' in one && one.references ? [one] : []));
  const entries = held.map(({ kind, constraint, columns, target }) =>
    block([
      member('foreignKeyName', quoted(constraint)),
      member('columns', tuple(columns.map(([origin]) => origin))),
      member('isOneToOne', String(kind === 'one-to-one')),
      member('referencedRelation', quoted(target.name)),
      member('referencedColumns', tuple(columns.map(([, referenced]) => referenced))),
    ]),
  );
  return `[${entries.join(', ')}]`;
}

/** One type per overload; a function of a row is a column or a relationship of its relation. */
function functionType(overloads: readonly CatalogFunction[]): string[] {
  const types = overloads.flatMap(({ args, returns }) => {
    const scalars = args.flatMap(({ type, ...arg }) => ('row' in type ? [] : [{ ...arg, type }]));
    if (scalars.length < args.length) return [];
    const members = scalars.map(({ name, type, optional }) => member(name, valueType(type), optional));
    return [block([member('Args', record(members)), member('Returns', returnType(returns))])];
  });
  const [first] = overloads;
  return first === undefined || types.length === 0 ? [] : [member(first.name, types.join(' | '))];
}

function returnType(returns: CatalogFunction['returns']): string {
  if (returns.kind === 'void') return 'undefined';
  if (returns.kind === 'scalar') return `${valueType(returns.type)}${returns.set ? '[]' : ''}`;
  const { schema, relation } = returns.relation;
  const part = (kind: string): string => `Database[${quoted(schema)}][${quoted(kind)}]`;
  const row = `(${part('Tables')} & ${part('Views')})[${quoted(relation)}]["Row"]`;
  return `${row}${returns.set ? '[]' : ''}`;
}

function columnType({ type, values }: Column): string {
  return values === undefined ? valueType(type) : values.map(quoted).join(' | ');
}

const TYPES: Readonly<Partial<Record<ValueType['family'], string>>> = {
  integer: 'number',
  numeric: 'number',
  float: 'number',
  boolean: 'boolean',
  json: 'Json',
  unknown: 'unknown',
};

function valueType({ family, element, labels, domain }: ValueType): string {
  // Only its module knows the form of its values.
  if (domain !== undefined) return 'unknown';
  if (element !== undefined) return `(${valueType(element)})[]`;
  if (labels !== undefined) return labels.map(quoted).join(' | ');
  return TYPES[family] ?? 'string';
}

/** "None of them" for the client's types: an index signature would allow every name. */
const NONE = '{ [_ in never]: never }';

function record(members: readonly string[]): string {
  return members.length === 0 ? NONE : block(members);
}

function block(members: readonly string[]): string {
  const lines = members.flatMap((one) => `${one};`.split('\n').map((line) => `  ${line}`));
  return `{\n${lines.join('\n')}\n}`;
}

function member(name: string, type: string, optional = false): string {
  const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name);
  return `${key}${optional ? '?' : ''}: ${type}`;
}

function tuple(names: readonly string[]): string {
  return `[${names.map(quoted).join(', ')}]`;
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
