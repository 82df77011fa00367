/** The numbers of identity columns. Like PostgreSQL's sequences they never go back, so a rollback leaves a gap. */
import type { Column, Relation } from '../catalog/model.js';
import type { RowStore } from '../rows/row-store.js';
import type { Stored } from '../values/stored.js';

/** Reserves `count` numbers and answers a function that hands them out, the lowest first. */
export async function reserveIdentities(
  store: RowStore,
  table: Relation,
  column: Column,
  count: number,
): Promise<() => Stored> {
  const id = sequenceId(table, column);
  const increment = { $inc: { value: count } };
  let sequence = await store.sequences.findOneAndUpdate({ _id: id }, increment);
  if (sequence === null) {
    await store.sequences.updateOne(
      { _id: id },
      { $max: { value: await greatest(store, table, column) } },
      { upsert: true },
    );
    sequence = await store.sequences.findOneAndUpdate({ _id: id }, increment);
  }
  let next = (sequence?.value ?? count) - count;
  return () => ++next;
}

/** A number that a client chose itself is not given again. */
export async function skipIdentities(
  store: RowStore,
  table: Relation,
  column: Column,
  chosen: readonly (Stored | null | undefined)[],
): Promise<void> {
  const numbers = chosen.filter((value) => typeof value === 'number');
  if (numbers.length === 0) return;
  const value = numbers.reduce((a, b) => Math.max(a, b));
  await store.sequences.updateOne(
    { _id: sequenceId(table, column), value: { $lt: value } },
    { $set: { value } },
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
  return JSON.stringify([table.schema, table.name, column.name]);
}
