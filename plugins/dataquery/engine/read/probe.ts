/**
 * Conditions on related rows from the side of the parents: for some rows of a level, which of them have related rows.
 * A page of rows is found by looking at few of them, where looking up the keys of all related rows would read whole
 * relations.
 */
import { filterPaced } from '../base/budget.js';
import type { Condition } from '../plan/condition.js';
import { keyOf, keySet, type Key, type KeySet } from '../plan/key-set.js';
import type { Embed, Level } from '../plan/level.js';
import type { Stored, StoredRow } from '../values/stored.js';
import type { ReadContext } from './context.js';
import { linkFields } from './fields.js';
import { firstOfKeys, rowsOfKeys, type KeyedScan } from './keyed-rows.js';
import { predicateFor } from './predicate.js';
import { asksRelated, AT_LEAST_ONE, wanted, type Wanted } from './related.js';
import { orderedRows, type Scan } from './scan.js';
import { filterFor } from './pushdown.js';
import { allOf } from './row-filter.js';

/** A window of more rows is not looked for row by row. */
const WIDEST = 1_000;
/** Rows that are looked at together. */
const LEAST_GROUP = 100;
/** With so many looks for each row of the window the related rows are rare: their keys are fewer. */
const LOOKS = 20;
const LEAST_LOOKS = 2_000;
/** Related rows that are held at most. */
const MOST_ROWS = 50_000;

/**
 * The rows of the window, or undefined where another way is better: without a window, in an order that storage does not
 * give, with few related rows, or when too many rows do not pass.
 */
export function probedRows(context: ReadContext, level: Level, scan: Scan): Promise<StoredRow[] | undefined> {
  return context.budget.tryWithRows(MOST_ROWS, () => probed(context, level, scan));
}

async function probed(context: ReadContext, level: Level, scan: Scan): Promise<StoredRow[] | undefined> {
  const { skip, limit } = scan;
  const asked = level.conditions.filter(asksRelated);
  if (asked.length === 0 || limit === undefined || skip + limit > WIDEST || !canProbe(level))
    return undefined;
  const rows = orderedRows(context, {
    ...scan,
    conditions: level.conditions.filter((one) => !asksRelated(one)),
  });
  if (rows === undefined || (await hasFewRelated(context, level))) return undefined;
  const most = skip + limit;
  const looks = Math.max(LEAST_LOOKS, LOOKS * most);
  let size = Math.min(WIDEST, Math.max(LEAST_GROUP, 2 * most));
  const found: StoredRow[] = [];
  let looked = 0;
  let group: StoredRow[] = [];
  for await (const row of rows) {
    group.push(row);
    if (group.length < size) continue;
    found.push(...(await passing(context, asked, group)));
    if (found.length >= most) return found.slice(skip, most);
    looked += group.length;
    if (looked >= looks) return undefined;
    size = nextGroup(most - found.length, found.length, looked);
    group = [];
  }
  found.push(...(await passing(context, asked, group)));
  return found.slice(skip, most);
}

/** As many rows as probably hold those that are still wanted; where few pass, fewer and larger groups. */
function nextGroup(wantedRows: number, found: number, looked: number): number {
  const rate = (found + 1) / (looked + 1);
  return Math.min(WIDEST, Math.max(LEAST_GROUP, Math.ceil((1.2 * wantedRows) / rate)));
}

/** Functions of modules make rows for one parent at a time. */
function canProbe({ conditions }: Level): boolean {
  return conditions.every(function isProbed(condition: Condition): boolean {
    if ('conditions' in condition) return condition.conditions.every(isProbed);
    if ('condition' in condition) return isProbed(condition.condition);
    if (condition.kind !== 'related') return true;
    return condition.embed.join.kind !== 'call' && canProbe(condition.embed.level);
  });
}

/** Whether a condition that must hold leaves so few related rows that their keys are the better start. */
async function hasFewRelated(context: ReadContext, level: Level): Promise<boolean> {
  for (const condition of level.conditions) {
    if (condition.kind !== 'related') continue;
    if (await isFew(context, condition.embed.level)) return true;
  }
  return false;
}

const FEW = 1_000;

async function isFew(context: ReadContext, level: Level): Promise<boolean> {
  if (level.source.rows !== undefined) return true;
  const filters = level.conditions
    .map((condition) => filterFor(condition))
    .filter((filter) => filter !== undefined);
  if (filters.length > 0) {
    const rows = context.collection(level.source.stored);
    const filter = allOf(filters);
    const { access } = await rows.explain(filter);
    if (access !== 'scan') {
      const some = await rows.find(filter, { limit: FEW + 1, projection: { _id: 1 } }).toArray();
      if (some.length <= FEW) return true;
    }
  }
  return hasFewRelated(context, level);
}

/** Those of the rows of which the conditions are true. */
async function passing(
  context: ReadContext,
  conditions: readonly Condition[],
  rows: readonly StoredRow[],
): Promise<StoredRow[]> {
  if (conditions.length === 0 || rows.length === 0) return [...rows];
  const known = await Promise.all(conditions.map((condition) => looked(context, condition, rows)));
  const tests = known.map((condition) => predicateFor(condition));
  return filterPaced(context.budget, rows, (row) => tests.every((test) => test(row)));
}

async function looked(
  context: ReadContext,
  condition: Condition,
  rows: readonly StoredRow[],
): Promise<Condition> {
  switch (condition.kind) {
    case 'and':
    case 'or': {
      const { kind } = condition;
      const conditions = await Promise.all(condition.conditions.map((part) => looked(context, part, rows)));
      return { kind, conditions };
    }
    case 'not':
      return { kind: 'not', condition: await looked(context, condition.condition, rows) };
    case 'related':
      return relatedOf(context, condition.embed, wanted(condition), rows);
    default:
      return condition;
  }
}

/** True of those rows that have as many rows of the embed as are wanted; said of no others. */
async function relatedOf(
  context: ReadContext,
  embed: Embed,
  isWanted: Wanted,
  parents: readonly StoredRow[],
): Promise<Condition> {
  const { join } = embed;
  if (join.kind === 'call') throw new TypeError('rows of a module are not looked for by keys');
  const parentKeys = keySet(parents, join.parent);
  const counts = new Map<Key, number>();
  const count = (key: Key | undefined): void => {
    if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1);
  };
  if (join.kind === 'direct') {
    for (const row of await childrenOf(context, embed, join.child, parentKeys, isWanted)) {
      count(keyOf(row, join.child));
    }
  } else {
    const { junction, near, far, child } = join;
    const scan = { source: junction, conditions: junction.conditions, fields: linkFields(join) };
    const links = await rowsOfKeys(context, keyedScan(scan), near, parentKeys);
    const targets = await childrenOf(context, embed, child, keySet(links, far), AT_LEAST_ONE);
    const there = keySet(targets, child).keys;
    for (const link of links) {
      const key = keyOf(link, far);
      if (key !== undefined && there.has(key)) count(keyOf(link, near));
    }
  }
  // A row with a null in its key has no related rows, and is in no set of keys.
  const withNone = isWanted(0);
  const listed: Wanted = withNone ? (rows) => !isWanted(rows) : isWanted;
  const condition: Condition = {
    kind: 'keys',
    fields: join.parent,
    keys: withWanted(parentKeys, counts, listed),
  };
  return withNone ? { kind: 'not', condition } : condition;
}

function withWanted({ keys, tuples }: KeySet, counts: ReadonlyMap<Key, number>, isWanted: Wanted): KeySet {
  const chosen = new Set<Key>();
  const kept: (readonly Stored[])[] = [];
  for (const [at, key] of [...keys].entries()) {
    if (!isWanted(counts.get(key) ?? 0)) continue;
    chosen.add(key);
    kept.push(tuples[at]!);
  }
  return { keys: chosen, tuples: kept };
}

/** The rows of an embed that have one of the keys and pass its conditions; one of each key where that is enough. */
async function childrenOf(
  context: ReadContext,
  { level }: Embed,
  fields: readonly string[],
  keys: KeySet,
  isWanted: Wanted,
): Promise<StoredRow[]> {
  if (keys.tuples.length === 0) return [];
  const own = level.conditions.filter((condition) => !asksRelated(condition));
  const asked = level.conditions.filter(asksRelated);
  const scan = keyedScan({
    source: level.source,
    conditions: own,
    fields: asked.length === 0 ? new Set(fields) : undefined,
  });
  if (asked.length === 0 && isWanted === AT_LEAST_ONE) {
    return firstOfKeys(context, { ...scan, limit: 1 }, fields, keys);
  }
  return passing(context, asked, await rowsOfKeys(context, scan, fields, keys));
}

function keyedScan(scan: Pick<KeyedScan, 'source' | 'conditions' | 'fields'>): KeyedScan {
  return { ...scan, order: [], limit: undefined, computed: [] };
}
