/**
 * The rows of an embed for a batch of parents: one query for the keys of all of them (two through a junction), then a
 * hash join. One query per parent only if a limit would leave most of their rows out.
 */
import type { Budget } from '../../base/budget.js';
import { groupByKey, keyOf, keySet, type Key, type KeySet } from '../../plan/key-set.js';
import type { Embed, Level, Ordering } from '../../plan/level.js';
import type { StoredRow } from '../../values/stored.js';
import { callPerRow } from './call-join.js';
import type { LookAfter } from '../access/access.js';
import type { ReadContext } from '../context.js';
import { embedFields, linkFields, ownComputed } from '../fields.js';
import { firstOfKeys, rowsOfKeys, type KeyedScan } from '../keyed-rows.js';
import { embeddedConditions, embeddedLookup } from './lookup.js';
import { passing } from './looked.js';
import { sortedFew, sortRows } from '../sort.js';
import { orderRows, type FollowEmbed } from './order.js';

export interface Related {
  /** The rows of all parents together. */
  readonly rows: readonly StoredRow[];
  /** The rows of one parent, in order, within the embed's limit and offset. */
  of(parent: StoredRow): readonly StoredRow[];
}

export async function relatedRows(
  context: ReadContext,
  level: Level,
  embed: Embed,
  parents: readonly StoredRow[],
): Promise<Related> {
  const { join } = embed;
  switch (join.kind) {
    case 'direct': {
      const keys = keySet(parents, join.parent);
      const rows = await childRows(context, embed, join.child, keys, 'of each key');
      return windowed(
        embed,
        join.parent,
        await ordered(context.budget, embed.level, groupByKey(rows, join.child)),
        rows,
      );
    }
    case 'junction':
      return throughJunction(context, embed, join, parents);
    case 'call': {
      const conditions = await embeddedConditions(context, embed.level);
      const groups = await callPerRow(context, level, embed, conditions, parents);
      const of = (parent: StoredRow): readonly StoredRow[] => inWindow(embed, groups.get(parent) ?? []);
      return { rows: parents.flatMap(of), of };
    }
  }
}

/** How rows are ordered by columns of their embeds. */
export function followEmbeds(context: ReadContext): FollowEmbed {
  return async (level, embed, rows) => {
    const related = await relatedRows(context, level, embed, rows);
    return (row) => related.of(row)[0];
  };
}

/**
 * The filtered rows of an embed whose members are one of the keys. An order by the level's own columns is left to
 * `ordered`: it applies within each parent, and storage would order all rows together. The window bounds what is read
 * if it applies to each key.
 */
async function childRows(
  context: ReadContext,
  embed: Embed,
  fields: readonly string[],
  keys: KeySet,
  window: 'of each key' | 'of others',
): Promise<StoredRow[]> {
  const { level } = embed;
  if (keys.tuples.length === 0 || level.limit === 0) return [];
  const lookup = embeddedLookup(context, level);
  const after =
    lookup?.kind === 'look-after'
      ? await context.budget.tryWithRows(MOST_ROWS, () => lookedAfter(context, embed, lookup, fields, keys))
      : undefined;
  if (after !== undefined) {
    context.budget.spendRows(after.length);
    return hasOwnOrder(level) ? after : inEmbedsOrder(context, level, after);
  }
  const scan: KeyedScan = {
    source: level.source,
    conditions: await embeddedConditions(context, level),
    order: level.order,
    limit: level.limit === undefined ? undefined : level.offset + level.limit,
    fields: embedFields(embed),
    computed: ownComputed(level),
  };
  if (!hasOwnOrder(level)) {
    return inEmbedsOrder(context, level, await rowsOfKeys(context, scan, fields, keys));
  }
  return window === 'of each key'
    ? firstOfKeys(context, scan, fields, keys)
    : rowsOfKeys(context, scan, fields, keys);
}

/** Rows that are looked at, and related ones, that are held at most. */
const MOST_ROWS = 50_000;

async function lookedAfter(
  context: ReadContext,
  embed: Embed,
  { own, asked, members }: LookAfter,
  by: readonly string[],
  keys: KeySet,
): Promise<StoredRow[]> {
  const shown = embedFields(embed);
  const fields = shown && new Set([...shown, ...members]);
  const { source } = embed.level;
  const scan = {
    source,
    conditions: own,
    limit: undefined,
    order: NO_ORDER,
    fields,
    computed: ownComputed(embed.level),
  };
  return passing(context, asked, await rowsOfKeys(context, scan, by, keys));
}

async function inEmbedsOrder(
  context: ReadContext,
  level: Level,
  rows: readonly StoredRow[],
): Promise<StoredRow[]> {
  const inserted = await sortRows(context.budget, rows, NO_ORDER);
  return orderRows(context.budget, level, inserted, followEmbeds(context));
}

const NO_ORDER: readonly Ordering[] = [];

/** Whether the order is by the level's own columns; no order counts too, as insertion order. */
function hasOwnOrder({ order }: Level): boolean {
  return order.every(({ through }) => through.length === 0);
}

/** Each group in the level's order, if its rows did not come in it. */
async function ordered(
  budget: Budget,
  level: Level,
  groups: Map<Key, StoredRow[]>,
): Promise<Map<Key, StoredRow[]>> {
  if (!hasOwnOrder(level)) return groups;
  for (const [key, group] of groups) {
    if (group.length > 1)
      groups.set(key, sortedFew(group, level.order) ?? (await sortRows(budget, group, level.order)));
  }
  return groups;
}

/** Each group is cut once; rows cut off are not rendered, and nothing is fetched for them. */
function windowed(
  embed: Embed,
  fields: readonly string[],
  groups: Map<Key, readonly StoredRow[]>,
  rows: readonly StoredRow[],
): Related {
  const isWhole = embed.level.limit === undefined && embed.level.offset === 0;
  if (!isWhole) for (const [key, group] of groups) groups.set(key, inWindow(embed, group));
  return {
    rows: isWhole ? rows : [...new Set([...groups.values()].flat())],
    of: (parent) => {
      const key = keyOf(parent, fields);
      return (key === undefined ? undefined : groups.get(key)) ?? NONE;
    },
  };
}

const NONE: readonly StoredRow[] = [];

function inWindow({ level: { offset, limit } }: Embed, rows: readonly StoredRow[]): readonly StoredRow[] {
  if (offset === 0 && (limit === undefined || rows.length <= limit)) return rows;
  return rows.slice(offset, limit === undefined ? undefined : offset + limit);
}

type JunctionJoin = Extract<Embed['join'], { kind: 'junction' }>;

async function throughJunction(
  context: ReadContext,
  embed: Embed,
  join: JunctionJoin,
  parents: readonly StoredRow[],
): Promise<Related> {
  const parentKeys = keySet(parents, join.parent);
  if (parentKeys.tuples.length === 0) return { rows: NONE, of: () => NONE };
  const linking: KeyedScan = {
    source: join.junction.source,
    conditions: await embeddedConditions(context, join.junction),
    order: NO_ORDER,
    limit: undefined,
    fields: linkFields(join),
    computed: [],
  };
  const links = await rowsOfKeys(context, linking, join.near, parentKeys);
  const rows = await childRows(context, embed, join.child, keySet(links, join.far), 'of others');
  const groups = await ordered(context.budget, embed.level, groupThrough(join, links, rows));
  return windowed(embed, join.parent, groups, rows);
}

/** Per parent key the rows in their own order, repeated as often as the junction names them. */
function groupThrough(
  join: JunctionJoin,
  links: readonly StoredRow[],
  rows: readonly StoredRow[],
): Map<Key, StoredRow[]> {
  const linksOf = groupByKey(links, join.far);
  const groups = new Map<Key, StoredRow[]>();
  for (const row of rows) {
    const key = keyOf(row, join.child);
    for (const link of (key === undefined ? undefined : linksOf.get(key)) ?? []) {
      const parent = keyOf(link, join.near);
      if (parent === undefined) continue;
      const group = groups.get(parent);
      if (group === undefined) groups.set(parent, [row]);
      else group.push(row);
    }
  }
  return groups;
}
