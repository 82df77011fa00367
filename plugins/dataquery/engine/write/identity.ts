/** The numbers of identity columns. Like PostgreSQL's sequences they never go back, so a rollback leaves a gap. */
import type { Column, Relation } from '../catalog/model.js';
import type { RowStore } from '../rows/row-store.js';
import type { Stored } from '../values/stored.js';

/**
 * Reserves `count` numbers, after those that the same request has `chosen`, and returns a function that hands them out
 * in ascending order.
 */
export async function reserveIdentities(
  store: RowStore,
  table: Relation,
  column: Column,
  count: number,
  chosen: Chosen = [],
): Promise<() => Stored> {
  await skipIdentities(store, table, column, chosen);
  const id = sequenceId(table, column);
  const increment = { $inc: { value: count } };
  let sequence = await store.sequences.findOneAndUpdate({ _id: id }, increment);
  if (sequence === null) {
    const value = Math.max(largest(chosen), await greatest(store, table, column));
    await store.sequences.updateOne({ _id: id }, { $max: { value } }, { upsert: true });
    sequence = await store.sequences.findOneAndUpdate({ _id: id }, increment);
  }
  let next = (sequence?.value ?? count) - count;
  return () => ++next;
}

type Chosen = readonly (Stored | null | undefined)[];

/** For a table without rows: its identities begin after the numbers of its first rows. */
export async function beginIdentities(
  store: RowStore,
  table: Relation,
  column: Column,
  chosen: Chosen,
): Promise<void> {
  const value = largest(chosen);
  await store.sequences.updateOne({ _id: sequenceId(table, column) }, { $max: { value } }, { upsert: true });
}

/** A number that a client chose itself is not given again. */
export async function skipIdentities(
  store: RowStore,
  table: Relation,
  column: Column,
  chosen: Chosen,
): Promise<void> {
  const value = largest(chosen);
  if (value === 0) return;
  await store.sequences.updateOne(
    { _id: sequenceId(table, column), value: { $lt: value } },
    { $set: { value } },
  );
}

function largest(chosen: Chosen): number {
  return chosen.reduce<number>(
    (most, value) => (typeof value === 'number' ? Math.max(most, value) : most),
    0,
  );
}

async function greatest(store: RowStore, table: Relation, { field }: Column): Promise<number> {
  const [row] = await store
    .collection(table)
    .find({}, { sort: { [field]: -1 }, limit: 1 })
    .toArray();
  const value = row?.[field];
  return typeof value === 'number' ? Math.max(0, value) : 0;
}

function sequenceId(table: Relation, column: Column): string {
  return JSON.stringify([table.schema, table.id, column.id]);
}
