/** A request after every name has been resolved: a tree of levels, each the rows of one relation. */
import type { CatalogFunction, Column, Relation } from '../catalog/model.js';
import type { Aggregate } from '../query/query.js';
import type { Relationship } from '../relationships/relationship.js';
import type { SearchQuery } from '../search/query.js';
import type { ValueType } from '../values/type.js';
import type { Stored, StoredRow } from '../values/stored.js';
import type { KeySet } from './key-set.js';
import type { Value } from './value.js';

/** Where the rows of a relation come from: a collection, seen through the views over it, or the rows of a module. */
export interface Source {
  /** The relation that holds the rows. */
  readonly stored: Relation;
  /** Column by the name under which the request addresses it. */
  readonly columns: ReadonlyMap<string, Column>;
  /** What the views on the way and the policies ask of a row. */
  readonly conditions: readonly Condition[];
  /** The columns that the caller may not read; undefined: none. */
  readonly unread: ReadonlySet<string> | undefined;
  /** The rows themselves when they are in no collection. */
  readonly rows: readonly StoredRow[] | undefined;
}

export interface Level {
  readonly relation: Relation;
  readonly source: Source;
  readonly embeds: readonly Embed[];
  readonly output: readonly Output[];
  /** The keys of the JSON object, in order; a spread's keys stand among them. */
  readonly keys: readonly string[];
  readonly conditions: readonly Condition[];
  readonly order: readonly Ordering[];
  readonly limit: number | undefined;
  readonly offset: number;
  /** Whether aggregates are selected: rows with equal other values become one. */
  readonly grouped: boolean;
}

/** Rows that are related to those of a level. */
export interface Related {
  /** The output key, and the name by which filters address it. */
  readonly name: string;
  readonly join: Join;
  readonly level: Level;
}

export interface Embed extends Related {
  /** The name of what is embedded, by which filters may address it too. */
  readonly target: string;
  readonly relationship: Relationship;
  readonly toOne: boolean;
  readonly inner: boolean;
  readonly spread: boolean;
}

/** How the rows of an embed are found from the rows of its parent: by which members of the stored rows. */
export type Join =
  /** These members of a parent equal those of its rows. */
  | { readonly kind: 'direct'; readonly parent: readonly string[]; readonly child: readonly string[] }
  /** Both sides meet in the rows of a third relation. */
  | {
      readonly kind: 'junction';
      readonly parent: readonly string[];
      readonly junction: Level;
      readonly near: readonly string[];
      readonly far: readonly string[];
      readonly child: readonly string[];
    }
  /** A module's function makes the rows for each parent. */
  | { readonly kind: 'call'; readonly called: CatalogFunction; readonly argument: string };

export type Output =
  | { readonly kind: 'value'; readonly key: string; readonly value: Value }
  | { readonly kind: 'aggregate'; readonly key: string; readonly aggregate: AggregateOutput }
  | { readonly kind: 'embed'; readonly key: string; readonly embed: Embed }
  | { readonly kind: 'spread'; readonly embed: Embed };

export interface AggregateOutput {
  readonly name: Aggregate;
  /** Undefined for `count()`. */
  readonly value: Value | undefined;
  readonly type: ValueType;
  readonly cast: ValueType | undefined;
}

export interface Ordering {
  /** To-one embeds to follow before the value is read. */
  readonly through: readonly Embed[];
  readonly value: Value;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
}

export type Comparison = 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte';

/** On a number of rows. */
export interface CountTest {
  readonly op: Comparison;
  readonly operand: number;
}

/** Of rows, with every name resolved and every literal read. SQL's logic: true, false or unknown. */
export type Condition =
  | { readonly kind: 'and' | 'or'; readonly conditions: readonly Condition[] }
  | { readonly kind: 'not'; readonly condition: Condition }
  /** Unknown when either side is null. */
  | {
      readonly kind: 'compare';
      readonly value: Value;
      readonly op: Comparison;
      readonly operand: Stored | null;
    }
  /** Equal to one of these; unknown for null. */
  | { readonly kind: 'in'; readonly value: Value; readonly operands: readonly Stored[] }
  /** Null-safe inequality. */
  | { readonly kind: 'distinct'; readonly value: Value; readonly operand: Stored }
  | { readonly kind: 'null'; readonly value: Value }
  | { readonly kind: 'boolean'; readonly value: Value; readonly is: boolean }
  /** Any other test of a value; unknown for null. `pattern` says the same to storage. */
  | {
      readonly kind: 'test';
      readonly value: Value;
      readonly test: (value: Stored) => boolean;
      readonly pattern: RegExp | undefined;
      /** A search of the lexemes that rows keep under a member; of nothing but stop words it is undefined. */
      readonly words?: { readonly member: string; readonly query: SearchQuery | undefined };
    }
  /** The row has related rows that pass the embed's own conditions; with `count`, so many of them. */
  | { readonly kind: 'related'; readonly embed: Related; readonly count?: CountTest }
  /**
   * The values of these members are one of the keys: what `related` becomes once they are known. With `ofOneRow` a foreign
   * key says that each of them is the key of one row.
   */
  | {
      readonly kind: 'keys';
      readonly fields: readonly string[];
      readonly keys: KeySet;
      readonly ofOneRow?: boolean;
    }
  | { readonly kind: 'constant'; readonly is: boolean };

/** The rows of a source that pass conditions, and nothing of them. */
export function bareLevel(relation: Relation, source: Source, conditions: readonly Condition[]): Level {
  return {
    relation,
    source,
    embeds: [],
    output: [],
    keys: [],
    conditions,
    order: [],
    limit: undefined,
    offset: 0,
    grouped: false,
  };
}

/** The parts of a conjunction, nested ones unfolded. */
export function conjuncts(conditions: readonly Condition[]): Condition[] {
  return conditions.flatMap((condition) =>
    condition.kind === 'and' ? conjuncts(condition.conditions) : [condition],
  );
}
