/** A request after every name has been resolved: a tree of levels, each the rows of one relation. */
import type { Column, Relation } from '../catalog/model.js';
import type { Aggregate } from '../query/query.js';
import type { Relationship } from '../relationships/relationship.js';
import type { ValueType } from '../values/type.js';
import type { StoredRow } from '../values/stored.js';
import type { Condition } from './condition.js';
import type { Join } from './join.js';
import type { Value } from './value.js';

/** Where the rows of a relation come from: a collection, seen through the views over it, or the rows of a module. */
export interface Source {
  /** The relation that holds the rows. */
  readonly stored: Relation;
  /** Column by the name under which the request addresses it. */
  readonly columns: ReadonlyMap<string, Column>;
  /** What the views on the way ask of a row. */
  readonly conditions: readonly Condition[];
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

export interface Embed {
  /** The output key, and the name by which filters address it. */
  readonly name: string;
  /** The name of what is embedded, by which filters may address it too. */
  readonly target: string;
  readonly relationship: Relationship;
  readonly join: Join;
  readonly toOne: boolean;
  readonly inner: boolean;
  readonly spread: boolean;
  readonly level: Level;
}

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
