/**
 * The identities of stored relations and columns. Each has an id that never changes and its former names, so a file
 * with a former name is recognised as an older one, and values are found under whichever name is in force.
 */
import type { Catalog, Column, Relation } from '../catalog/model.js';
import { collectionName, fieldName } from '../catalog/naming.js';

/** Where a row holds the values of a column, and their type. */
export interface Member {
  readonly field: string;
  readonly type: string;
}

export interface Known {
  /** The name in force, or the last one. */
  readonly name: string;
  readonly formerly: readonly string[];
  /** Whether the catalog in force declares it. Otherwise its values are kept. */
  readonly declared: boolean;
  /** When it was dropped: its values are deleted a week later. */
  readonly droppedAt: Date | null;
}

export interface KnownColumn extends Known, Member {
  /** Unique in its relation: its first name, with a number if that was taken. */
  readonly id: string;
  /** Members with values of its earlier types, latest first. */
  readonly earlier: readonly (Member & Pick<Known, 'droppedAt'>)[];
}

export interface KnownRelation extends Known {
  readonly schema: string;
  /** Unique in its schema. Its collection is named after it. */
  readonly id: string;
  readonly columns: readonly KnownColumn[];
}

export type Ledger = readonly KnownRelation[];

export function relationKey({ schema, name }: { readonly schema: string; readonly name: string }): string {
  return `${schema}.${name}`;
}

export function* storedRelations(catalog: Catalog): Generator<Relation, void> {
  for (const { relations } of catalog.schemas.values()) {
    for (const relation of relations.values()) if (relation.collection !== undefined) yield relation;
  }
}

/** With the labels of an enumeration; for a domain, its underlying type. */
export function typeName({ type }: Pick<Column, 'type'>): string {
  return type.labels === undefined ? type.name : `enum(${type.labels.join(',')})`;
}

/** The catalog with the collections and members that its rows have. */
export function withIdentities(catalog: Catalog, ledger: Ledger): Catalog {
  const schemas = new Map(
    [...catalog.schemas].map(([schemaName, schema]) => {
      const relations = [...schema.relations].map(([name, relation]) => {
        const known =
          relation.collection === undefined
            ? undefined
            : ledger.find((one) => one.declared && one.schema === schemaName && one.name === name);
        return [name, known === undefined ? relation : identified(relation, known)] as const;
      });
      return [schemaName, { ...schema, relations: new Map(relations) }];
    }),
  );
  return { ...catalog, schemas };
}

function identified(relation: Relation, { schema, id, columns }: KnownRelation): Relation {
  const known = new Map(columns.filter(({ declared }) => declared).map((column) => [column.name, column]));
  return {
    ...relation,
    id,
    collection: collectionName(schema, id),
    columns: new Map(
      [...relation.columns].map(([name, column]) => {
        const { id: columnId, field } = known.get(name) ?? column;
        return [name, { ...column, id: columnId, field }];
      }),
    ),
  };
}

/** Records of the first versions have members by name, and those of undeclared columns. */
export interface NamedMembers {
  readonly fields?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly retired?: Readonly<Record<string, Readonly<Record<string, Member>>>>;
}

/** The ledger of such a record; `catalog` is the one in force. */
export function ledgerOf(catalog: Catalog, { fields = {}, retired = {} }: NamedMembers): Ledger {
  const declared = [...storedRelations(catalog)].map((relation): KnownRelation => {
    const key = relationKey(relation);
    const own = fields[key] ?? {};
    const gone = Object.entries(retired[key] ?? {});
    const columns = [...relation.columns.values()].map((column): KnownColumn => {
      const field = Object.hasOwn(own, column.name) ? own[column.name]! : column.field;
      const earlier = gone
        .filter(([name]) => name === column.name)
        .map(([, { field: old, type }]) => ({ field: old, type, droppedAt: null }));
      return { ...firstKnown(column.name, field, typeName(column), column.was), earlier };
    });
    const kept = gone
      .filter(([name]) => !relation.columns.has(name))
      .map(([name, { field, type }]) => ({ ...firstKnown(name, field, type), declared: false }));
    const { schema, name } = relation;
    return { ...FIRST, schema, id: name, name, columns: [...columns, ...kept] };
  });
  const known = new Set(declared.map(relationKey));
  const schemas = [...catalog.schemas.keys()];
  const others = Object.entries(retired).filter(([key, columns]) => !known.has(key) && hasAny(columns));
  const kept = others.map(([key, columns]): KnownRelation => {
    // Either part may hold dots: the schema is one of the catalog's, or else the first part.
    const schema = schemas.find((name) => key.startsWith(`${name}.`)) ?? key.split('.')[0]!;
    const name = key.slice(schema.length + 1);
    const own = Object.entries(columns).map(([column, { field, type }]) => firstKnown(column, field, type));
    return { ...FIRST, declared: false, schema, id: name, name, columns: own };
  });
  return [...declared, ...kept];
}

const FIRST = { formerly: [], declared: true, droppedAt: null } as const;

function firstKnown(name: string, field: string, type: string, was?: string): KnownColumn {
  const formerly = new Set([was ?? name, firstName(field) ?? name]);
  formerly.delete(name);
  return { ...FIRST, formerly: [...formerly], id: name, name, field, type, earlier: [] };
}

/** The name under which a column with this member was first declared. */
function firstName(field: string): string | undefined {
  const name = field
    .replace(/~[0-9]+$/, (suffix) => (suffix.length === 3 ? suffix : ''))
    .replace(/~([0-9a-f]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return fieldName(name) === field || field.startsWith(`${fieldName(name)}~`) ? name : undefined;
}

function hasAny(members: object): boolean {
  return Object.keys(members).length > 0;
}
