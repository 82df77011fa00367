/**
 * A page in the order of a to-one embed's column: reads the related rows in that order, by an index, instead of
 * following the embed from every row.
 */
import { keySet } from '../../plan/key-set.js';
import type { Level, Ordering } from '../../plan/level.js';
import type { StoredRow } from '../../values/stored.js';
import type { AlongEmbed } from '../access/access.js';
import type { ReadContext } from '../context.js';
import { rowsOfKeys } from '../keyed-rows.js';
import { orderedRows, type Scan } from '../scan.js';
import { compareValues, sortRows } from '../sort.js';
import { followEmbeds } from './embed.js';
import { orderRows } from './order.js';

/** Related rows whose rows are fetched together. */
const LEAST_GROUP = 50;
const MOST_GROUP = 1_000;
/** Rows that are held at most. */
const MOST_ROWS = 50_000;

/** The rows of the scan's window, or undefined if few of the related rows have one that passes. */
export async function rowsAlongEmbed(
  context: ReadContext,
  level: Level,
  access: AlongEmbed,
  scan: Scan,
): Promise<StoredRow[] | undefined> {
  const rows = await context.budget.tryWithRows(MOST_ROWS, () => along(context, level, access, scan));
  if (rows !== undefined) context.budget.spendRows(rows.length);
  return rows;
}

async function along(
  context: ReadContext,
  level: Level,
  { embed, join, ordering, most, looks }: AlongEmbed,
  scan: Scan,
): Promise<StoredRow[] | undefined> {
  const related = orderedRows(context, {
    source: embed.level.source,
    conditions: [],
    order: [ordering],
    skip: 0,
    limit: undefined,
    fields: new Set([...join.child, ordering.value.field]),
    computed: [],
  });
  const rowsOf = (group: readonly StoredRow[]): Promise<StoredRow[]> =>
    rowsOfKeys(context, { ...scan, limit: undefined }, join.parent, keySet(group, join.child));
  const found: StoredRow[] = [];
  let looked = 0;
  let size = Math.min(MOST_GROUP, Math.max(LEAST_GROUP, most));
  let group: StoredRow[] = [];
  for await (const row of related) {
    // Rows equal in this order are ordered by the terms after it: they stay together.
    if (group.length >= size && !isEqual(ordering, row, group.at(-1)!)) {
      found.push(...(await rowsOf(group)));
      if (found.length >= most) break;
      looked += group.length;
      size = Math.min(MOST_GROUP, 2 * size);
      group = [];
    }
    if (looked + group.length >= looks) return undefined;
    group.push(row);
  }
  if (found.length < most) found.push(...(await rowsOf(group)));
  // Then rows without a related one fill the window.
  if (found.length < most) return undefined;
  const inserted = await sortRows(context.budget, found, []);
  const ordered = await orderRows(context.budget, level, inserted, followEmbeds(context), most);
  return ordered.slice(scan.skip);
}

function isEqual(ordering: Ordering, a: StoredRow, b: StoredRow): boolean {
  return compareValues(ordering, ordering.value.read(a), ordering.value.read(b)) === 0;
}
