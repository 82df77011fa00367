/** Stores rows with their related rows: referenced rows first, then the rows, then those that refer to them. */
import type { Column } from '../catalog/model.js';
import type { ColumnPairs } from '../relationships/relationship.js';
import type { WriteSchema } from './request.js';
import type { Stored, StoredRow } from '../values/stored.js';
import { conflictOf } from './conflict.js';
import { changedRow } from './draft.js';
import type { Guard } from './guard.js';
import { insertRows, upsertRows, type Conflict, type TableWrite, type Upserted } from './mutations.js';
import type { LinkedTree, RowTree } from './related-rows.js';
import type { WriteTarget } from './target.js';

/** What happens to existing rows. */
export interface Upsert {
  readonly resolution: Conflict['resolution'];
  /** The columns that identify them; the primary key by default. */
  readonly onConflict?: readonly string[] | undefined;
  readonly mayRepeat: boolean;
}

/** A write of any table. */
export type TreeWrite = Pick<TableWrite, 'collection' | 'references' | 'budget' | 'tell'> &
  Pick<WriteSchema, 'checks'> & {
    /** `reads`: see `guardOf`. */
    readonly guardFor: (target: WriteTarget, reads: boolean) => Guard;
  };

/** Without `upsert`, existing rows are an error. Nested rows are identified by their primary keys. */
export async function storeTree(
  write: TreeWrite,
  tree: RowTree,
  upsert: Upsert | undefined,
  answers = false,
): Promise<Upserted> {
  // Several rows may hold the same one.
  const inside = upsert && { resolution: upsert.resolution, mayRepeat: true };
  const rows = [...tree.rows];
  const decided: Column[][] = rows.map(() => []);
  for (const { relationship, tree: parents, owners } of tree.referredTo) {
    const { settled } = await storeTree(write, parents, inside);
    for (const [at, owner] of owners.entries()) {
      const values = copied(relationship.columns, [tree.target, parents.target], settled[at]!, 'back');
      rows[owner] = changedRow(rows[owner]!, values);
      decided[owner]!.push(...values.keys());
    }
  }
  const assigned = (at: number): Column[] => [...tree.given(at), ...decided[at]!];
  const guard = write.guardFor(tree.target, answers || upsert !== undefined);
  const stored = await settle(write, guard, tree.target, rows, assigned, upsert);
  for (const { relationship, tree: children, owners } of tree.referring) {
    const held = withKeys(children, (at) =>
      copied(relationship.columns, [tree.target, children.target], stored.settled[owners[at]!]!, 'forth'),
    );
    await storeTree(write, held, inside);
  }
  for (const linked of tree.linked) await storeLinked(write, tree.target, stored.settled, linked, inside);
  return stored;
}

/** The far side of a junction, and the junction's rows; an upsert keeps an existing link. */
async function storeLinked(
  write: TreeWrite,
  origin: WriteTarget,
  owning: readonly StoredRow[],
  { relationship: { near, far }, tree, owners, links }: LinkedTree,
  upsert: Upsert | undefined,
): Promise<void> {
  const { settled } = await storeTree(write, tree, upsert);
  const linked = withKeys(
    links,
    (at) =>
      new Map([
        ...copied(near.columns, [origin, links.target], owning[owners[at]!]!, 'forth'),
        ...copied(far.columns, [links.target, tree.target], settled[at]!, 'back'),
      ]),
  );
  await storeTree(write, linked, upsert && { ...upsert, resolution: 'ignore-duplicates' });
}

function settle(
  write: TreeWrite,
  guard: Guard,
  target: WriteTarget,
  rows: readonly StoredRow[],
  assigned: Conflict['assigned'],
  upsert: Upsert | undefined,
): Promise<Upserted> {
  const { table } = target;
  const own: TableWrite = { ...write, table, checks: write.checks(table), guard };
  const conflict = upsert && conflictOf(target, upsert.onConflict, upsert.resolution, assigned);
  return conflict === undefined
    ? insertRows(own, rows).then(() => ({ rows, settled: rows, inserted: rows.length }))
    : upsertRows(own, rows, { ...conflict, mayRepeat: upsert?.mayRepeat === true });
}

/** The tree with values added to its rows. */
function withKeys(tree: RowTree, valuesOf: (at: number) => ReadonlyMap<Column, Stored | null>): RowTree {
  const values = tree.rows.map((_, at) => valuesOf(at));
  return {
    ...tree,
    rows: tree.rows.map((row, at) => changedRow(row, values[at]!)),
    given: (at) => [...tree.given(at), ...values[at]!.keys()],
  };
}

/** The values of a relationship's columns, from a row of one side to one of the other. */
function copied(
  pairs: ColumnPairs,
  [origin, target]: readonly [WriteTarget, WriteTarget],
  row: StoredRow,
  direction: 'forth' | 'back',
): Map<Column, Stored | null> {
  return new Map(
    pairs.flatMap(([near, far]): [Column, Stored | null][] => {
      const [from, to] = [origin.columnOf(near), target.columnOf(far)];
      if (from === undefined || to === undefined) return [];
      const [read, written] = direction === 'forth' ? [from, to] : [to, from];
      return [[written, row[read.field] ?? null]];
    }),
  );
}
