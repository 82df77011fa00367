/** The resolved catalog: its relations and functions, after every name in the file has been checked. */
import type { ValueType } from '../values/type.js';
import type { Stored } from '../values/stored.js';
import type { TimeZone } from '../values/time-zone.js';

export interface Catalog {
  /** Schemas reachable over HTTP; the first is the default. */
  readonly exposed: readonly string[];
  /** Schemas that are not exposed, but whose views relationships may go through. */
  readonly searchPath: readonly string[];
  readonly schemas: ReadonlyMap<string, Schema>;
  /** For literals without a zone, and for printing moments. */
  readonly timeZone: TimeZone;
}

export interface Schema {
  readonly name: string;
  readonly relations: ReadonlyMap<string, Relation>;
  /** By name; several of one name are overloads. */
  readonly functions: ReadonlyMap<string, readonly CatalogFunction[]>;
}

export interface RelationName {
  readonly schema: string;
  readonly relation: string;
}

export interface ColumnName extends RelationName {
  readonly column: string;
}

export interface Relation {
  readonly schema: string;
  readonly name: string;
  /** Of a stored relation: never changes, even if its name does. */
  readonly id: string;
  /** The relation's former name: the rows are kept. */
  readonly was: string | undefined;
  readonly kind: 'table' | 'view';
  readonly comment: string | undefined;
  /**
   * The storage collection that holds the rows, of tables and stored views. Undefined for a view that is
   * computed: its rows are those of `from` that pass `where`, renamed by `columns[].base`.
   */
  readonly collection: string | undefined;
  /** In the order of declaration. */
  readonly columns: ReadonlyMap<string, Column>;
  /** Column names; empty without a key. A view has its base's key when all its columns are selected. */
  readonly primaryKey: readonly string[];
  readonly unique: readonly UniqueConstraint[];
  readonly foreignKeys: readonly ForeignKey[];
  readonly checks: readonly Check[];
  /** Columns of further storage indexes. */
  readonly indexes: readonly (readonly string[])[];
  /** The relation that a computed view reads. */
  readonly from: RelationName | undefined;
  /** Query parameters of the filter language that a computed view applies to `from`, e.g. `year` -> `gte.2000`. */
  readonly where: Conditions;
  /** What each role may do; undefined: every role may do everything. */
  readonly grants: ReadonlyMap<string, Grant> | undefined;
  /** Which rows; all if empty. */
  readonly policies: readonly Policy[];
  /** Of a computed view: it reads its base with all rights instead of its caller's. */
  readonly definer: boolean;
  /** Of a table: its changes are sent to subscribers. */
  readonly live: boolean;
  /** Of a table: the owner of its rows, for the export and the erasure of a person. */
  readonly person: PersonColumn | undefined;
}

export interface PersonColumn {
  readonly column: string;
  /** The claim `sub` of a person's token, `ISSUER|SUBJECT`, or the number in the directory. */
  readonly holds: 'subject' | 'user' | 'number';
  /** Issuer of the subjects; undefined: any. */
  readonly issuer: string | undefined;
}

export type Command = 'select' | 'insert' | 'update' | 'delete';

/** Columns, or all of them. */
export type Granted = '*' | readonly string[];

export interface Grant {
  readonly select: Granted;
  readonly insert: Granted;
  readonly update: Granted;
  readonly delete: boolean;
}

/** As PostgreSQL's row security has them: permissive ones add up, and restrictive ones must all hold. */
export interface Policy {
  readonly name: string;
  readonly restrictive: boolean;
  readonly commands: readonly (Command | 'all')[];
  /** Roles; undefined: everybody. */
  readonly to: readonly string[] | undefined;
  /** For existing rows: others are hidden. */
  readonly using: Rule | undefined;
  /** For rows to be stored; undefined: `using`. */
  readonly check: Rule | undefined;
}

/** All of these must be true of a row. */
export type Rule = readonly RuleTerm[];

export type RuleTerm =
  /** A parameter of the filter language, whose value may be `$jwt.PATH`, and inside of `exists` `$row.COLUMN`. */
  | { readonly kind: 'filter'; readonly name: string; readonly value: string }
  /** The same for a claim. */
  | { readonly kind: 'claim'; readonly path: ClaimPath; readonly value: string }
  /** A row of another relation. */
  | { readonly kind: 'exists'; readonly relation: RelationName; readonly rule: Rule }
  | { readonly kind: 'never' };

/** Member names on the path into the claims. */
export type ClaimPath = readonly string[];

/** Parameter name to value, in the language of the query string. */
export type Conditions = readonly (readonly [name: string, value: string])[];

export interface Column {
  readonly name: string;
  /** Never changes, even if the name does. */
  readonly id: string;
  /** The member of the stored document that holds the value: the name, escaped where storage paths need it. */
  readonly field: string;
  readonly type: ValueType;
  readonly comment: string | undefined;
  /** Not null. */
  readonly required: boolean;
  readonly default: Default | undefined;
  /** Cannot be written: `GENERATED ALWAYS`. */
  readonly generated: boolean;
  /** The column's former name in the catalog: the values are kept. */
  readonly was: string | undefined;
  /** The text search configuration by which its words are indexed; undefined: they are not. */
  readonly search: string | undefined;
  /** The allowed values of an enumeration. */
  readonly values: readonly string[] | undefined;
  /** Of a view: the column that this one is a plain reference to (of a table, or of another view). */
  readonly base: ColumnName | undefined;
}

export type Default =
  | { readonly kind: 'value'; readonly value: Stored | null }
  /** One more than the greatest number given so far. */
  | { readonly kind: 'identity' }
  | { readonly kind: 'now' }
  | { readonly kind: 'uuid' };

export interface UniqueConstraint {
  readonly name: string;
  readonly columns: readonly string[];
}

export type ReferentialAction = 'no action' | 'restrict' | 'cascade' | 'set null' | 'set default';

export interface ForeignKey {
  readonly name: string;
  readonly columns: readonly string[];
  readonly references: RelationName & { readonly columns: readonly string[] };
  readonly onDelete: ReferentialAction;
  readonly onUpdate: ReferentialAction;
}

export interface Check {
  readonly name: string;
  readonly conditions: Conditions;
}

export interface CatalogFunction {
  readonly schema: string;
  readonly name: string;
  readonly comment: string | undefined;
  readonly args: readonly Argument[];
  readonly returns: Returns;
  readonly body: FunctionBody;
  /** Whether it may change rows; such a function does not answer to GET. */
  readonly volatile: boolean;
  /** Reads with all rights instead of its caller's. */
  readonly definer: boolean;
}

export interface Argument {
  readonly name: string;
  /** A scalar, or a row of a relation (computed columns and relationships). */
  readonly type: ValueType | { readonly row: RelationName };
  readonly default: Stored | null | undefined;
  /** May be left out: it has a default. */
  readonly optional: boolean;
}

export type Returns =
  | { readonly kind: 'void' }
  /** One value, or with `set` any number of them. */
  | { readonly kind: 'scalar'; readonly type: ValueType; readonly set: boolean }
  /** One row, or with `set` any number; `rows` is the declared estimate. */
  | {
      readonly kind: 'row';
      readonly relation: RelationName;
      readonly set: boolean;
      readonly rows: number | undefined;
    };

export type FunctionBody =
  /** Rows of `from` that match `where` (`$name` is an argument) and, for a computed relationship, `join`. */
  | {
      readonly kind: 'query';
      readonly from: RelationName;
      readonly where: Conditions;
      /** Column of `from` to the column of the argument's row that it equals. */
      readonly join: readonly { readonly column: string; readonly argument: string; readonly of: string }[];
    }
  /** An exported function of a trusted module; `file` is absolute. */
  | { readonly kind: 'module'; readonly file: string; readonly exportName: string };

/** Undefined when the schema or the relation is not in the catalog. */
export function relationOf(catalog: Catalog, name: RelationName): Relation | undefined {
  return catalog.schemas.get(name.schema)?.relations.get(name.relation);
}
