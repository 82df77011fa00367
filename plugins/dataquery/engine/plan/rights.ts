/**
 * What the caller may see and do. A plan asks for it wherever it meets a relation, in `sourceOf` alone: what reads rows
 * goes by the sources of its plan, so no path leads round it. Writes ask here, too.
 */
import type { ServiceError } from 'plugboard/sdk';
import type { CatalogFunction, Command, Granted, Relation, RelationName } from '../catalog/model.js';
import type { Condition } from './level.js';

/** When a row is judged: as it is to be inserted or changed, where an upsert meets it, and where it is only met. */
export type Step = 'insert' | 'update' | 'conflict' | 'met';

/** One of what a row must be; `policy` names a restrictive one. */
export interface RowRule {
  readonly policy: string | undefined;
  readonly condition: Condition;
}

export interface Rights {
  /** The columns with which the caller may do it. */
  granted(relation: Relation, command: Exclude<Command, 'delete'>): Granted;
  mayDelete(relation: Relation): boolean;
  /** The columns that may not be read; undefined where all may. Throws 42501 where none may. */
  unread(relation: Relation, reads: boolean): ReadonlySet<string> | undefined;
  /** What the rows of a stored relation must be for the caller to do all of this with them. */
  conditions(relation: Relation, commands: readonly Command[]): readonly Condition[];
  /** What a row must be at a step of a write; `reads` where the write reads or answers rows. */
  rules(relation: Relation, step: Step, reads: boolean): readonly RowRule[];
  /** 42501 for a relation, or one of its columns. */
  denied(relation: Pick<RelationName, 'relation'>, column?: string): ServiceError;
  /** 42501 for a row that a policy refuses. */
  refused(relation: Relation, step: Step, rule: RowRule): ServiceError;
}

/** Above all policies and grants: of the server's own work, of `definer`s, and of catalogs that have none. */
export const ALL_RIGHTS: Rights = {
  granted: () => '*',
  mayDelete: () => true,
  unread: () => undefined,
  conditions: () => [],
  rules: () => [],
  denied: () => impossible(),
  refused: () => impossible(),
};

function impossible(): never {
  throw new TypeError('nothing is denied to whoever has all rights');
}

/** Those with which a view or a function reads. */
export function rightsOf({ definer }: Pick<CatalogFunction, 'definer'>, caller: Rights): Rights {
  return definer ? ALL_RIGHTS : caller;
}
