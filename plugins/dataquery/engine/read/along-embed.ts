/**
 * A page in the order of a to-one embed's column: found by going along the related rows in that order, where an index has
 * it, instead of following the embed from every row.
 */
import { keySet } from '../plan/key-set.js';
import type { Embed, Level, Ordering } from '../plan/level.js';
import type { StoredRow } from '../values/stored.js';
import type { ReadContext } from './context.js';
import { followEmbeds } from './embed.js';
import { isIndexed, isServed } from './index-use.js';
import { rowsOfKeys } from './keyed-rows.js';
import { orderRows } from './order.js';
import { orderedRows, storageFilter, type Scan } from './scan.js';
import { compareValues, sortRows } from './sort.js';

/** A window that ends later is not looked for so. */
const WIDEST = 1_000;
/** Related rows whose rows are fetched together. */
const LEAST_GROUP = 50;
const MOST_GROUP = 1_000;
/** With so many related rows for each row that is wanted few of them have one that passes. */
const LOOKS = 20;
const LEAST_LOOKS = 2_000;
/** Rows that are held at most. */
const MOST_ROWS = 50_000;

/** The rows of the scan's window, or undefined where following the embed from all rows is the way. */
export async function rowsAlongEmbed(
  context: ReadContext,
  level: Level,
  scan: Scan,
): Promise<StoredRow[] | undefined> {
  const path = pathAlong(context, level, scan);
  if (path === undefined) return undefined;
  const rows = await context.budget.tryWithRows(MOST_ROWS, () => alongPath(context, level, scan, path));
  if (rows !== undefined) context.budget.spendRows(rows.length);
  return rows;
}

interface Path {
  readonly embed: Embed;
  readonly join: Extract<Embed['join'], { kind: 'direct' }>;
  /** That of the related rows themselves. */
  readonly ordering: Ordering;
  /** How many rows are wanted in their order. */
  readonly most: number;
}

/** Undefined where rows without a related one may come before others, or no index has the order and leads from it to the rows. */
function pathAlong({ cache }: ReadContext, level: Level, scan: Scan): Path | undefined {
  const [first] = level.order;
  const [embed, ...deeper] = first?.through ?? [];
  if (first === undefined || embed === undefined || deeper.length > 0) return undefined;
  const { join, relationship } = embed;
  const { limit, offset, source, conditions } = embed.level;
  const isWhole = conditions.length === 0 && limit !== 0 && offset === 0;
  if (join.kind !== 'direct' || relationship.kind === 'computed' || !embed.toOne || !isWhole)
    return undefined;
  if (first.nullsFirst || first.value.nullable || !first.value.plain) return undefined;
  if (scan.limit === undefined || scan.skip + scan.limit > WIDEST) return undefined;
  const filter = storageFilter(scan);
  // By an index the rows that pass are few, probably.
  if (filter === undefined || isServed(cache.catalog, scan.source.stored, filter)) return undefined;
  if (source.rows !== undefined || !isIndexed(cache.catalog, source.stored, first.value.field))
    return undefined;
  if (!isIndexed(cache.catalog, scan.source.stored, join.parent[0]!)) return undefined;
  return { embed, join, ordering: { ...first, through: [] }, most: scan.skip + scan.limit };
}

async function alongPath(
  context: ReadContext,
  level: Level,
  scan: Scan,
  { embed, join, ordering, most }: Path,
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
  if (related === undefined) return undefined;
  const rowsOf = (group: readonly StoredRow[]): Promise<StoredRow[]> =>
    rowsOfKeys(context, { ...scan, limit: undefined }, join.parent, keySet(group, join.child));
  const mostLooks = Math.max(LEAST_LOOKS, LOOKS * most);
  const found: StoredRow[] = [];
  let looked = 0;
  let size = Math.min(MOST_GROUP, Math.max(LEAST_GROUP, most));
  let group: StoredRow[] = [];
  for await (const row of related) {
    // Those that are equal in this order are ordered by what comes behind it: they stay together.
    if (group.length >= size && !isEqual(ordering, row, group.at(-1)!)) {
      found.push(...(await rowsOf(group)));
      if (found.length >= most) break;
      looked += group.length;
      size = Math.min(MOST_GROUP, 2 * size);
      group = [];
    }
    if (looked + group.length >= mostLooks) return undefined;
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
