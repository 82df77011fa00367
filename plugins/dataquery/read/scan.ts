/** The rows of one source that pass some conditions: what storage can decide is pushed down, the rest decided here. */
import type { Sort } from 'plugboard/sdk';
import { conjuncts, type Condition } from '../plan/condition.js';
import type { Ordering, Source } from '../plan/level.js';
import type { Value } from '../plan/value.js';
import type { StoredRow } from '../values/stored.js';
import type { ReadContext } from './context.js';
import { addComputed } from './computed-columns.js';
import { predicateFor } from './predicate.js';
import { filterFor } from './pushdown.js';
import { allOf, type RowFilter } from './row-filter.js';
import { compareRows } from './sort.js';

export interface Scan {
  readonly source: Source;
  /** Without `related` ones: those have been looked up. */
  readonly conditions: readonly Condition[];
  /** Columns of the level itself only. */
  readonly order: readonly Ordering[];
  readonly skip: number;
  readonly limit: number | undefined;
  /** The members that the caller reads, `_id` aside; undefined for all. */
  readonly fields: ReadonlySet<string> | undefined;
  /** Computed columns that the caller reads. */
  readonly computed: readonly Value[];
}

/** Conditions split by who decides them. */
interface Split {
  readonly filter: RowFilter;
  readonly residual: readonly Condition[];
}

export async function scanRows(context: ReadContext, scan: Scan): Promise<StoredRow[]> {
  if (scan.limit === 0) return [];
  const { filter, residual } = split(scan);
  const sort = storageSort(scan.order);
  const computed = [
    ...scan.computed,
    ...computedIn(residual),
    ...computedIn(scan.order.map(({ value }) => ({ kind: 'null', value }))),
  ];
  const inStorage = scan.source.rows === undefined;
  if (inStorage && sort !== undefined && residual.length === 0) {
    return addComputed(context, scan.source, computed, await storedRows(context, scan, filter, sort));
  }
  const found = inStorage
    ? await storedRows(context, { ...scan, skip: 0, limit: undefined }, filter, sort)
    : scan.source.rows;
  const whole = await addComputed(context, scan.source, computed, found);
  const tests = residual.map((condition) => predicateFor(condition));
  const passing = tests.length === 0 ? [...whole] : whole.filter((row) => tests.every((test) => test(row)));
  if (scan.order.length > 0 && (sort === undefined || !inStorage)) passing.sort(compareRows(scan.order));
  const end = scan.limit === undefined ? undefined : scan.skip + scan.limit;
  return passing.slice(scan.skip, end);
}

/** How many rows pass the conditions, whatever the window. */
export async function countRows(context: ReadContext, scan: Scan): Promise<number> {
  const { filter, residual } = split(scan);
  if (scan.source.rows === undefined && residual.length === 0) {
    return context.collection(scan.source.stored).countDocuments(filter);
  }
  const whole: Scan = { ...scan, order: [], skip: 0, limit: undefined, fields: new Set(), computed: [] };
  return (await scanRows(context, whole)).length;
}

function split({ source, conditions }: Scan): Split {
  const filters: RowFilter[] = [];
  const residual: Condition[] = [];
  for (const condition of conjuncts(conditions)) {
    const filter = source.rows === undefined ? filterFor(condition) : undefined;
    if (filter === undefined) residual.push(condition);
    else filters.push(filter);
  }
  return { filter: allOf(filters), residual };
}

async function storedRows(
  context: ReadContext,
  scan: Scan,
  filter: RowFilter,
  sort: Sort | undefined,
): Promise<StoredRow[]> {
  const projection = projectionOf(scan);
  return context
    .collection(scan.source.stored)
    .find(filter, {
      ...(sort === undefined ? {} : { sort }),
      ...(scan.skip > 0 ? { skip: scan.skip } : {}),
      ...(scan.limit === undefined ? {} : { limit: scan.limit }),
      ...(projection === undefined ? {} : { projection }),
    })
    .toArray();
}

/** Undefined when every column is read, or a function that may read any of them. */
function projectionOf({ source, fields, conditions, order, computed }: Scan): Record<string, 1> | undefined {
  if (fields === undefined || computed.length > 0) return undefined;
  const names = new Set(fields);
  for (const { value } of order) names.add(value.field);
  for (const condition of conditions) collectFields(condition, names);
  if (names.size >= source.stored.columns.size || [...names].some((name) => name.startsWith('.')))
    return undefined;
  return names.size === 0 ? { _id: 1 } : Object.fromEntries([...names].map((name) => [name, 1 as const]));
}

function collectFields(condition: Condition, names: Set<string>): void {
  if ('conditions' in condition) for (const part of condition.conditions) collectFields(part, names);
  else if ('condition' in condition) collectFields(condition.condition, names);
  else if ('fields' in condition) for (const field of condition.fields) names.add(field);
  else if ('value' in condition) names.add(condition.value.field);
}

/**
 * The order as storage can give it: by stored members, with nulls where storage puts them (before everything
 * else). Without an order rows come as they were inserted.
 */
function storageSort(order: readonly Ordering[]): Sort | undefined {
  if (order.length === 0) return { _id: 1 };
  const sort: Record<string, 1 | -1> = {};
  for (const { value, descending, nullsFirst } of order) {
    const nullsAsStored = !value.nullable || nullsFirst !== descending;
    if (!value.plain || !value.type.ordered || !nullsAsStored) return undefined;
    sort[value.field] ??= descending ? -1 : 1;
  }
  return sort;
}

/** The computed columns that conditions read. */
function computedIn(conditions: readonly Condition[]): Value[] {
  return conditions.flatMap((condition) => {
    if ('conditions' in condition) return computedIn(condition.conditions);
    if ('condition' in condition) return computedIn([condition.condition]);
    return 'value' in condition && condition.value.computed !== undefined ? [condition.value] : [];
  });
}
