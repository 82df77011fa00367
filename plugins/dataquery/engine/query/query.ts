/** The parsed query string: what was asked for, before the catalog is consulted. */

/** `->key`, `->>key`, `->0`: one step into a JSON document; `text` is the `->>` form. */
export interface JsonStep {
  readonly text: boolean;
  readonly key: string | number;
}

/** A column, or a place inside one: `settings->foo->>bar`. */
export interface Field {
  readonly name: string;
  readonly steps: readonly JsonStep[];
}

export type Aggregate = 'sum' | 'avg' | 'count' | 'max' | 'min';

export type SelectItem = StarItem | ColumnItem | CountItem | EmbedItem;

/** `*` */
export interface StarItem {
  readonly kind: 'star';
}

/** `alias:name->path::cast.sum()::cast` */
export interface ColumnItem {
  readonly kind: 'column';
  readonly alias: string | undefined;
  readonly field: Field;
  readonly cast: string | undefined;
  readonly aggregate: Aggregate | undefined;
  readonly aggregateCast: string | undefined;
}

/** `count()`: the number of rows. */
export interface CountItem {
  readonly kind: 'count';
  readonly alias: string | undefined;
  readonly cast: string | undefined;
}

/** `alias:name!hint!inner(...)`, or with `...` before it a spread. An empty `select` returns none of it. */
export interface EmbedItem {
  readonly kind: 'embed';
  readonly alias: string | undefined;
  readonly name: string;
  readonly hint: string | undefined;
  readonly inner: boolean;
  readonly spread: boolean;
  readonly select: readonly SelectItem[];
}

export type CompareOperator =
  | 'eq'
  | 'neq'
  | 'gt'
  | 'gte'
  | 'lt'
  | 'lte'
  | 'like'
  | 'ilike'
  | 'match'
  | 'imatch'
  | 'cs'
  | 'cd'
  | 'ov'
  | 'sl'
  | 'sr'
  | 'nxr'
  | 'nxl'
  | 'adj';

export type CountOperator = 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte';

export type TruthValue = 'null' | 'not_null' | 'true' | 'false' | 'unknown';

export type Operation =
  | {
      readonly kind: 'compare';
      readonly op: CompareOperator;
      readonly quantifier: 'any' | 'all' | undefined;
      readonly value: string;
    }
  | { readonly kind: 'in'; readonly values: readonly string[] }
  | { readonly kind: 'is'; readonly value: TruthValue }
  | { readonly kind: 'isdistinct'; readonly value: string }
  /** Of an embed: how many rows it has. */
  | { readonly kind: 'count'; readonly op: CountOperator; readonly value: number }
  | {
      readonly kind: 'search';
      readonly mode: 'fts' | 'plfts' | 'phfts' | 'wfts';
      readonly language: string | undefined;
      readonly value: string;
    };

/** `field=not.op.value` */
export interface FilterTerm {
  readonly kind: 'filter';
  readonly field: Field;
  readonly negated: boolean;
  readonly operation: Operation;
}

/** `or=(...)`, `not.and=(...)` */
export interface LogicTerm {
  readonly kind: 'logic';
  readonly op: 'and' | 'or';
  readonly negated: boolean;
  readonly terms: readonly ConditionTerm[];
}

export type ConditionTerm = FilterTerm | LogicTerm;

/** `relation(field).desc.nullslast`; without a relation, a column of the level itself. */
export interface OrderTerm {
  readonly relations: readonly string[];
  readonly field: Field;
  readonly descending: boolean;
  /** Undefined: last when ascending, first when descending. */
  readonly nulls: 'first' | 'last' | undefined;
}

/** A parameter for the level of the select tree that its path names. */
export interface At<T> {
  readonly path: readonly string[];
  readonly value: T;
}

export interface Query {
  readonly select: readonly SelectItem[];
  readonly conditions: readonly At<ConditionTerm>[];
  readonly order: readonly At<readonly OrderTerm[]>[];
  readonly limits: readonly At<number>[];
  readonly offsets: readonly At<number>[];
  /** `columns=a,b`: the keys of the rows of a write. */
  readonly columns: readonly string[] | undefined;
  /** `on_conflict=a,b`: the conflict target of an upsert. */
  readonly onConflict: readonly string[] | undefined;
  /** With `callArguments`: parameters that are not filters, in order. */
  readonly callArguments: readonly (readonly [name: string, value: string])[];
}
