/**
 * What the caller may see and do. A plan asks only in `sourceOf`, wherever it meets a relation: all reads go through
 * the sources of its plan, so no path bypasses it. Writes ask here, too.
 */
import type { ServiceError } from 'plugboard/sdk';
import type { CatalogFunction, Command, Granted, Relation, RelationName } from '../catalog/model.js';
import type { Condition } from './level.js';

/** When a row is checked: before it is inserted or changed, when an upsert meets it, and when it is only met. */
export type Step = 'insert' | 'update' | 'conflict' | 'met';

/** A rule for a row; `policy` names a restrictive one. */
export interface RowRule {
  readonly policy: string | undefined;
  readonly condition: Condition;
}

export interface Rights {
  /** The columns allowed for the command. */
  granted(relation: Relation, command: Exclude<Command, 'delete'>): Granted;
  mayDelete(relation: Relation): boolean;
  /** The columns that may not be read; undefined if all may. Throws 42501 if none may. */
  unread(relation: Relation, reads: boolean): ReadonlySet<string> | undefined;
  /** What the rows of a stored relation must pass for the caller to do all of this. */
  conditions(relation: Relation, commands: readonly Command[]): readonly Condition[];
  /** What a row must pass at a step of a write; `reads` if the write reads or returns rows. */
  rules(relation: Relation, step: Step, reads: boolean): readonly RowRule[];
  /** 42501 for a relation, or one of its columns. */
  denied(relation: Pick<RelationName, 'relation'>, column?: string): ServiceError;
  /** 42501 for a row that a policy refuses. */
  refused(relation: Relation, step: Step, rule: RowRule): ServiceError;
}

/** Above all policies and grants: for the server's own work, `definer`s, and catalogs that have none. */
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

/** The rights of a view or a function. */
export function rightsOf({ definer }: Pick<CatalogFunction, 'definer'>, caller: Rights): Rights {
  return definer ? ALL_RIGHTS : caller;
}
