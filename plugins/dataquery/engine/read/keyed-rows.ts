/** Rows that have one of many keys: all of them, or only as many per key as are wanted. */
import type { Key, KeySet } from '../plan/key-set.js';
import type { StoredRow } from '../values/stored.js';
import type { ReadContext } from './context.js';
import { scanRows, type Scan } from './scan.js';
import { storageDecides } from './split.js';

/** What is asked of the rows of one key. */
export type KeyedScan = Omit<Scan, 'keys' | 'inAnyOrder' | 'skip'>;

/**
 * Keys per query: with more values the embedded store does not use its index, and each branch of an `$or` is planned.
 */
const VALUES_OF_A_QUERY = 1_000;
const BRANCHES_OF_A_QUERY = 100;
/** A separate query pays for a key that has this many more rows than are wanted. */
const ROWS_FOR_A_QUERY = 50;
/** Concurrent queries, so that one request does not take every connection. */
const AT_ONCE = 8;

/** All rows of the keys, whatever the order and limit, in no order. */
export async function rowsOfKeys(
  context: ReadContext,
  { order: _, ...scan }: KeyedScan,
  fields: readonly string[],
  keys: KeySet,
): Promise<StoredRow[]> {
  const parts = partsOf(keys, fields.length === 1 ? VALUES_OF_A_QUERY : BRANCHES_OF_A_QUERY);
  return inTurns(parts, (part) => anyRows(context, { ...scan, limit: undefined }, fields, part));
}

/**
 * The first rows of each key, and where they are few the others too, unordered. If there are many, each key has its own
 * query, so that the latest message of each room does not read the messages of all.
 */
export async function firstOfKeys(
  context: ReadContext,
  scan: KeyedScan,
  fields: readonly string[],
  keys: KeySet,
): Promise<StoredRow[]> {
  const { limit } = scan;
  if (limit === undefined || !storageDecides(scan)) return rowsOfKeys(context, scan, fields, keys);
  const rows: StoredRow[] = [];
  for (const part of partsOf(keys, fields.length === 1 ? VALUES_OF_A_QUERY : BRANCHES_OF_A_QUERY)) {
    const few = part.tuples.length === 1 ? 0 : part.tuples.length * (limit + ROWS_FOR_A_QUERY);
    const found = few === 0 ? [] : await anyRows(context, { ...scan, limit: few + 1 }, fields, part);
    if (few > 0 && found.length <= few) rows.push(...found);
    else rows.push(...(await inTurns(partsOf(part, 1), (one) => ofOneKey(context, scan, fields, one))));
  }
  return rows;
}

function anyRows(
  context: ReadContext,
  scan: Omit<KeyedScan, 'order'>,
  fields: readonly string[],
  keys: KeySet,
): Promise<StoredRow[]> {
  const wanted = { ...scan, order: [], skip: 0, inAnyOrder: true } as const;
  return scanRows(context, { ...wanted, keys: { kind: 'keys', fields, keys } });
}

function ofOneKey(
  context: ReadContext,
  scan: KeyedScan,
  fields: readonly string[],
  keys: KeySet,
): Promise<StoredRow[]> {
  return scanRows(context, { ...scan, skip: 0, keys: { kind: 'keys', fields, keys } });
}

function partsOf(whole: KeySet, size: number): KeySet[] {
  if (whole.tuples.length <= size) return [whole];
  const keys: Key[] = [...whole.keys];
  return Array.from({ length: Math.ceil(keys.length / size) }, (_, at) => ({
    keys: new Set(keys.slice(at * size, (at + 1) * size)),
    tuples: whole.tuples.slice(at * size, (at + 1) * size),
  }));
}

async function inTurns<T, R>(items: readonly T[], work: (item: T) => Promise<readonly R[]>): Promise<R[]> {
  if (items.length === 1) return [...(await work(items[0]!))];
  const results: (readonly R[])[] = [];
  const waiting = items.entries();
  const inTurn = async (): Promise<void> => {
    for (const [at, item] of waiting) results[at] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, items.length) }, inTurn));
  return results.flat();
}
