/** Writes of rows that count what they cost, split into parts: one call of a store runs in one go. */
import type { Relation } from '../catalog/model.js';
import { eachPaced, type Budget } from '../base/budget.js';
import { charactersOf } from '../base/characters.js';
import type { CollectionOf } from '../rows/row-store.js';
import type { StoredRow } from '../values/stored.js';

/** The change of one row: `before` is missing for a new row, `after` for a deleted one. */
export interface RowDifference {
  readonly before?: StoredRow | undefined;
  readonly after?: StoredRow | undefined;
}

export type TellRows = (table: Relation, rows: readonly RowDifference[]) => Promise<void>;

export interface Metered {
  readonly collection: CollectionOf;
  readonly budget: Budget;
  readonly tell: TellRows;
}

/** Rows per call of a store. */
export const PART = 250;

/** Characters of the rows per call of a store, if it is more than one row. */
const PART_CHARACTERS = 500_000;

/**
 * Counts rows that are about to be stored or removed, and has `write` do it part by part. Throws SVC129 before the
 * first.
 */
export async function writeInParts(
  budget: Budget,
  rows: readonly StoredRow[],
  write: (part: readonly StoredRow[]) => Promise<unknown>,
): Promise<void> {
  budget.spendWrites(rows.length, 0);
  const parts = await sizedParts(budget, rows, (characters) => budget.spendWrites(0, characters));
  await eachPart(budget, parts, write);
}

/** Has `write` store, part by part, what is no row of the request and does not count as one. */
export async function storeInParts<D extends object>(
  budget: Budget,
  documents: readonly D[],
  write: (part: readonly D[]) => Promise<unknown>,
): Promise<void> {
  await eachPart(budget, await sizedParts(budget, documents), write);
}

async function sizedParts<D extends object>(
  budget: Budget,
  documents: readonly D[],
  count: (characters: number) => void = () => {},
): Promise<D[][]> {
  const parts: D[][] = [];
  let room = 0;
  await eachPaced(budget, documents, (document) => {
    const characters = charactersOf(document);
    count(characters);
    if (characters > room) {
      parts.push([]);
      room = PART_CHARACTERS;
    }
    parts.at(-1)!.push(document);
    room -= characters;
  });
  return parts;
}

async function eachPart<D>(
  budget: Budget,
  parts: readonly (readonly D[])[],
  write: (part: readonly D[]) => Promise<unknown>,
): Promise<void> {
  for (const part of parts) {
    if (budget.isDue) await budget.pause();
    await write(part);
  }
}

/** Throws SVC129. */
export async function addRows(
  { collection, budget, tell }: Metered,
  table: Relation,
  rows: readonly StoredRow[],
): Promise<void> {
  await writeInParts(budget, rows, (part) => collection(table).insertMany(part));
  await tell(
    table,
    rows.map((after) => ({ after })),
  );
}

/** Replaces the rows with these ids. Throws SVC129. */
export async function replaceRows(
  { collection, budget, tell }: Metered,
  table: Relation,
  changes: readonly { readonly before: StoredRow; readonly after: StoredRow }[],
): Promise<void> {
  const rows = changes.map(({ after }) => after);
  await writeInParts(budget, rows, (part) =>
    collection(table).bulkWrite(
      part.map((after) => ({ replaceOne: { filter: { _id: after._id }, replacement: after } })),
    ),
  );
  await tell(table, changes);
}

/** Throws SVC129: a store reads what it removes, and records it. */
export async function removeRows(
  { collection, budget, tell }: Metered,
  table: Relation,
  rows: readonly StoredRow[],
): Promise<void> {
  await writeInParts(budget, rows, async (written) => {
    for (const part of inParts(written))
      await collection(table).deleteMany({ _id: { $in: part.map(({ _id }) => _id) } });
  });
  await tell(
    table,
    rows.map((before) => ({ before })),
  );
}

export function* inParts<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += PART) yield items.slice(at, at + PART);
}
