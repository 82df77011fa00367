/** Conditions on rows, with every name resolved and every literal read. SQL's logic: true, false or unknown. */
import type { SearchQuery } from '../search/query.js';
import type { Stored } from '../values/stored.js';
import type { Embed } from './level.js';
import type { KeySet } from './key-set.js';
import type { Value } from './value.js';

export type Comparison = 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte';

/** On a number of rows. */
export interface CountTest {
  readonly op: Comparison;
  readonly operand: number;
}

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
  | { readonly kind: 'related'; readonly embed: Embed; readonly count?: CountTest }
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

/** The parts of a conjunction, nested ones unfolded. */
export function conjuncts(conditions: readonly Condition[]): Condition[] {
  return conditions.flatMap((condition) =>
    condition.kind === 'and' ? conjuncts(condition.conditions) : [condition],
  );
}
