/** The rows of one source that pass some conditions: pushes down what storage can decide, and decides the rest here. */
import type { Cursor, Sort } from 'plugboard/sdk';
import type { Condition, Ordering } from '../plan/level.js';
import type { Value } from '../plan/value.js';
import type { StoredRow } from '../values/stored.js';
import { addComputed } from './computed-columns.js';
import type { ReadContext } from './context.js';
import type { Fields } from './fields.js';
import { keyConditions } from './key-order.js';
import { isLong, passesInTurns } from './long-rows.js';
import { predicateFor } from './predicate.js';
import { projectionOf } from './projection.js';
import { allOf, onField, type RowFilter } from './row-filter.js';
import { sortRows } from './sort.js';
import { split, type Conditioned } from './split.js';
import { storageOrder, type StorageOrder } from './storage-order.js';

export interface Scan extends Conditioned {
  /** Only columns of the level itself. */
  readonly order: readonly Ordering[];
  /** The rows only make keys, or are sorted by the caller: storage may return them in any order. */
  readonly inAnyOrder?: true;
  readonly skip: number;
  readonly limit: number | undefined;
  /** The members that the caller reads, and those of the order. */
  readonly fields: Fields;
  /** The caller reads only these, without ids, which are most of what is read from an index. */
  readonly withoutIds?: true;
  /** Computed columns that the caller reads. */
  readonly computed: readonly Value[];
}

/** The rows within the scan's window. Throws SVC129 for more rows than the request may hold. */
export async function scanRows(context: ReadContext, scan: Scan): Promise<StoredRow[]> {
  if (scan.limit === 0) return [];
  // A store that has everything in memory answers many scans in a row without yielding.
  if (context.budget.isDue) await context.budget.pause();
  const { filter, residual } = split(scan);
  const rows = await (residual.length > 0 || scan.source.rows !== undefined
    ? decideHere(context, scan, filter, residual)
    : decidedByStorage(context, scan, filter));
  context.budget.spendRows(rows.length);
  return rows;
}

async function decidedByStorage(context: ReadContext, scan: Scan, filter: RowFilter): Promise<StoredRow[]> {
  const order = scan.inAnyOrder === true ? UNORDERED : storageOrder(scan.order);
  const rows = await storedRows(context, scan, filter, order);
  return addComputed(context, scan.source, computedOf(scan, []), rows);
}

const UNORDERED: StorageOrder = { kind: 'sorted', sort: {} };

/** How many rows pass the conditions, whatever the window. */
export async function countRows(context: ReadContext, scan: Scan): Promise<number> {
  const [only, ...others] = scan.conditions;
  if (only?.kind === 'keys' && only.ofOneRow === true && others.length === 0) return only.keys.keys.size;
  const { filter, residual } = split(scan);
  if (scan.source.rows === undefined && residual.length === 0) {
    return context.collection(scan.source.stored).countDocuments(filter);
  }
  const whole: Scan = { ...scan, order: [], skip: 0, limit: undefined, fields: new Set(), computed: [] };
  let passing = 0;
  for await (const _ of passingRows(context, whole, filter, residual, UNORDERED_SORT)) passing += 1;
  return passing;
}

/**
 * Passes every row to `take`, whatever the order and the window, and keeps none: for results made of many rows. Fills
 * in only the computed columns that the conditions use.
 */
export async function eachRow(
  context: ReadContext,
  scan: Omit<Scan, 'order' | 'skip' | 'limit' | 'computed'>,
  take: (row: StoredRow) => void,
): Promise<void> {
  const whole: Scan = { ...scan, order: [], skip: 0, limit: undefined, computed: [] };
  const { filter, residual } = split(whole);
  for await (const row of passingRows(context, whole, filter, residual, UNORDERED_SORT)) take(row);
}

/** The rows that pass, in the scan's order, which must be one of storage, and whatever its window. */
export function orderedRows(context: ReadContext, scan: Scan): AsyncIterable<StoredRow> {
  const order = storageOrder(scan.order);
  if (order.kind !== 'sorted') throw new TypeError('storage does not give the order');
  const { filter, residual } = split(scan);
  return passingRows(context, scan, filter, residual, order.sort);
}

/** Opens the rows one by one, if storage decides everything; undefined if they have to be gathered first. */
export function rowStream(context: ReadContext, scan: Scan): (() => AsyncIterable<StoredRow>) | undefined {
  const { filter, residual } = split(scan);
  const order = storageOrder(scan.order);
  const gathered =
    residual.length > 0 || scan.source.rows !== undefined || computedOf(scan, residual).length > 0;
  if (gathered || order.kind !== 'sorted') return undefined;
  return () => find(context, scan, filter, order.sort, scan);
}

const UNORDERED_SORT: Sort = {};

/** The window can be cut only after the last condition has been decided. */
async function decideHere(
  context: ReadContext,
  scan: Scan,
  filter: RowFilter,
  residual: readonly Condition[],
): Promise<StoredRow[]> {
  const { source, order, skip, limit } = scan;
  const sorting = source.rows === undefined ? storageOrder(order) : undefined;
  const isOrdered = scan.inAnyOrder === true || sorting?.kind === 'sorted';
  const sort = scan.inAnyOrder === true || sorting?.kind !== 'sorted' ? UNORDERED_SORT : sorting.sort;
  const most = isOrdered && limit !== undefined ? skip + limit : undefined;
  let passing: StoredRow[] = [];
  for await (const row of passingRows(context, scan, filter, residual, sort)) {
    passing.push(row);
    if (passing.length === most) break;
    if (passing.length > skip + context.budget.rowsLeft) context.budget.refuseRows();
  }
  if (!isOrdered && order.length > 0) passing = await sortRows(context.budget, passing, order);
  return passing.slice(skip, limit === undefined ? undefined : skip + limit);
}

/** Stored rows are processed in groups: functions of computed columns are called for one group at a time. */
const GROUP = 256;

/** The rows that pass the conditions which storage does not decide, with the computed columns that are read. */
async function* passingRows(
  context: ReadContext,
  scan: Scan,
  filter: RowFilter,
  residual: readonly Condition[],
  sort: Sort,
): AsyncGenerator<StoredRow, void> {
  const { source } = scan;
  const { budget } = context;
  const tests = residual.map((condition) => predicateFor(condition));
  const computed = computedOf(scan, residual);
  const passes = (row: StoredRow): boolean | Promise<boolean> =>
    isLong(row)
      ? passesInTurns(budget, { kind: 'and', conditions: residual }, row)
      : tests.every((test) => test(row));
  // A function gets no row that the other conditions exclude: policies are among them.
  const others = computed.length === 0 ? [] : residual.filter((one) => computedIn([one]).length === 0);
  const earlier = others.map((condition) => predicateFor(condition));
  const rows = source.rows ?? find(context, scan, filter, sort, {}, residual);
  let group: StoredRow[] = [];
  for await (const row of rows) {
    if (budget.isDue) await budget.pause();
    if (computed.length === 0) {
      const passing = passes(row);
      if (typeof passing === 'boolean' ? passing : await passing) yield row;
      continue;
    }
    if (!earlier.every((test) => test(row))) continue;
    group.push(row);
    if (group.length < GROUP) continue;
    for (const whole of await addComputed(context, source, computed, group))
      if (await passes(whole)) yield whole;
    group = [];
  }
  for (const whole of await addComputed(context, source, computed, group))
    if (await passes(whole)) yield whole;
}

async function storedRows(
  context: ReadContext,
  scan: Scan,
  filter: RowFilter,
  order: StorageOrder,
): Promise<StoredRow[]> {
  const { skip, limit } = scan;
  const most = context.budget.rowsLeft + 1;
  if (order.kind === 'sorted') {
    return find(context, scan, filter, order.sort, { skip, limit: Math.min(limit ?? most, most) }).toArray();
  }
  if (order.kind === 'nulls-apart' && limit !== undefined) {
    return nullsApart(context, scan, filter, order, skip, Math.min(limit, most));
  }
  const rows = await find(context, scan, filter, { _id: 1 }, { limit: most }).toArray();
  if (rows.length === most) context.budget.refuseRows();
  const computed = await addComputed(context, scan.source, computedOf(scan, []), rows);
  const sorted = await sortRows(context.budget, computed, scan.order);
  return sorted.slice(skip, limit === undefined ? undefined : skip + limit);
}

/** One range after the other; the second is read only if the first does not fill the window. */
async function nullsApart(
  context: ReadContext,
  scan: Scan,
  filter: RowFilter,
  { field, nullsFirst, values, nulls }: Extract<StorageOrder, { kind: 'nulls-apart' }>,
  skip: number,
  limit: number,
): Promise<StoredRow[]> {
  const withValue = { filter: allOf([filter, onField(field, { $ne: null })]), sort: values };
  const withNull = { filter: allOf([filter, onField(field, null)]), sort: nulls };
  const [first, second] = nullsFirst ? [withNull, withValue] : [withValue, withNull];
  const head = await find(context, scan, first.filter, first.sort, { skip, limit }).toArray();
  if (head.length === limit) return head;
  const passed =
    head.length > 0 || skip === 0 ? skip + head.length : await count(context, scan, first.filter);
  const rest = { skip: Math.max(0, skip - passed), limit: limit - head.length };
  return [...head, ...(await find(context, scan, second.filter, second.sort, rest).toArray())];
}

function count(context: ReadContext, { source }: Scan, filter: RowFilter): Promise<number> {
  return context.collection(source.stored).countDocuments(filter);
}

function find(
  context: ReadContext,
  scan: Scan,
  filter: RowFilter,
  sort: Sort,
  { skip = 0, limit }: { readonly skip?: number; readonly limit?: number | undefined },
  residual: readonly Condition[] = [],
): Cursor<StoredRow> {
  const projection = projectionOf(scan, residual);
  const { stored } = scan.source;
  const ofKey = keyConditions(stored, sort, filter);
  return context.collection(stored).find(ofKey.length === 0 ? filter : allOf([filter, ...ofKey]), {
    sort,
    shared: true,
    ...(skip > 0 ? { skip } : {}),
    ...(limit === undefined ? {} : { limit }),
    ...(projection === undefined ? {} : { projection }),
  });
}

/** The computed columns that anything in the scan reads. */
function computedOf(scan: Scan, residual: readonly Condition[]): Value[] {
  const ordered = scan.order.map(({ value }) => value).filter((value) => value.computed !== undefined);
  return [...scan.computed, ...ordered, ...computedIn(residual)];
}

function computedIn(conditions: readonly Condition[]): Value[] {
  return conditions.flatMap((condition) => {
    if ('conditions' in condition) return computedIn(condition.conditions);
    if ('condition' in condition) return computedIn([condition.condition]);
    return 'value' in condition && condition.value.computed !== undefined ? [condition.value] : [];
  });
}
