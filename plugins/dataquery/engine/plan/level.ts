/** A request after every name has been resolved: a tree of levels, each the rows of one relation. */
import type { CatalogFunction, Column, Relation } from '../catalog/model.js';
import type { Aggregate } from '../query/query.js';
import type { Relationship } from '../relationships/relationship.js';
import type { SearchQuery } from '../search/query.js';
import type { ValueType } from '../values/type.js';
import type { Stored, StoredRow } from '../values/stored.js';
import type { KeySet } from './key-set.js';
import type { Value } from './value.js';

/** Where a relation's rows come from: a collection, seen through the views over it, or the rows of a module. */
export interface Source {
  /** The relation that holds the rows. */
  readonly stored: Relation;
  /** Column by its name in the request. */
  readonly columns: ReadonlyMap<string, Column>;
  /** The conditions of the views in between and of the policies. */
  readonly conditions: readonly Condition[];
  /** The columns that the caller may not read; undefined: none. */
  readonly unread: ReadonlySet<string> | undefined;
  /** The rows themselves if they are in no collection. */
  readonly rows: readonly StoredRow[] | undefined;
}

export interface Level {
  readonly relation: Relation;
  readonly source: Source;
  readonly embeds: readonly Embed[];
  readonly output: readonly Output[];
  /** The keys of the JSON object, in order, including spread keys. */
  readonly keys: readonly string[];
  readonly conditions: readonly Condition[];
  readonly order: readonly Ordering[];
  readonly limit: number | undefined;
  readonly offset: number;
  /** Whether aggregates are selected: rows with equal other values are grouped. */
  readonly grouped: boolean;
}

/** Rows related to those of a level. */
export interface Related {
  /** The output key, by which filters address the embed. */
  readonly name: string;
  readonly join: Join;
  readonly level: Level;
}

export interface Embed extends Related {
  /** The embedded relation's name, by which filters may address it too. */
  readonly target: string;
  readonly relationship: Relationship;
  readonly toOne: boolean;
  readonly inner: boolean;
  readonly spread: boolean;
}

/** How an embed's rows are found from their parents: by which members of the stored rows. */
export type Join =
  /** Members of a parent equal members of its rows. */
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

/** Tests a number of rows. */
export interface CountTest {
  readonly op: Comparison;
  readonly operand: number;
}

/** With every name resolved and every literal read. SQL's logic: true, false or unknown. */
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
  /** Any other test of a value; unknown for null. `pattern` is the same for storage. */
  | {
      readonly kind: 'test';
      readonly value: Value;
      readonly test: (value: Stored) => boolean;
      readonly pattern: RegExp | undefined;
      /** A search of the lexemes in this member; undefined if it has only stop words. */
      readonly words?: { readonly member: string; readonly query: SearchQuery | undefined };
    }
  /** The row has related rows that pass the embed's own conditions; with `count`, this many. */
  | { readonly kind: 'related'; readonly embed: Related; readonly count?: CountTest }
  /**
   * The values of these members are one of the keys: replaces `related` once they are known. With `ofOneRow` a foreign
   * key guarantees that each of them is the key of one row.
   */
  | {
      readonly kind: 'keys';
      readonly fields: readonly string[];
      readonly keys: KeySet;
      readonly ofOneRow?: boolean;
    }
  | { readonly kind: 'constant'; readonly is: boolean };

/** The rows of a source that pass conditions, without output. */
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
