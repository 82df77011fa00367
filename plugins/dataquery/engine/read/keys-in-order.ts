/**
 * A page of the rows that have one of many keys, in the order of these keys: it is found by the first of them, and the
 * others are not sent to storage.
 */
import { conjuncts, type Condition } from '../plan/level.js';
import { keyOfValues, type KeySet } from '../plan/key-set.js';
import type { StoredRow } from '../values/stored.js';
import type { ReadContext } from './context.js';
import { scanRows, storageDecides, type KeyCondition, type Scan } from './scan.js';

/** Fewer keys go to storage at once. */
const MANY = 500;
/** The first keys that are looked at, for each row of the page: with other conditions not all keys have one. */
const FOR_A_ROW = 4;
/** How many times as many are looked at next. */
const GROWTH = 8;

/** Undefined where the order is not the one of many keys, or the page is not at their beginning. */
export async function pageInKeyOrder(context: ReadContext, scan: Scan): Promise<StoredRow[] | undefined> {
  const [first] = scan.order;
  if (first === undefined || scan.limit === undefined || !first.value.plain) return undefined;
  const wanted = scan.skip + scan.limit;
  const conditions = conjuncts(scan.conditions);
  const keyed = conditions.find(isOfMany);
  if (keyed === undefined || keyed.fields[0] !== first.value.field) return undefined;
  if (wanted * FOR_A_ROW * GROWTH > keyed.keys.tuples.length) return undefined;
  const others = conditions.filter((condition) => condition !== keyed);
  if (!storageDecides({ ...scan, conditions: others })) return undefined;
  const values = numbersOf(keyed.keys)?.sort();
  if (values === undefined) return undefined;
  if (first.descending) values.reverse();

  const rows: StoredRow[] = [];
  let size = wanted * FOR_A_ROW;
  for (let from = 0; from < values.length && rows.length < wanted;) {
    const part = partOf(keyed, values.subarray(from, from + size));
    const limit = wanted - rows.length;
    rows.push(...(await scanRows(context, { ...scan, conditions: [part, ...others], skip: 0, limit })));
    from += size;
    size *= GROWTH;
  }
  return rows.slice(scan.skip);
}

function isOfMany(condition: Condition): condition is KeyCondition {
  return condition.kind === 'keys' && condition.fields.length === 1 && condition.keys.tuples.length >= MANY;
}

/** Both stores order numbers alike; undefined where there are others. */
function numbersOf({ tuples }: KeySet): Float64Array | undefined {
  const values = new Float64Array(tuples.length);
  for (const [at, [value]] of tuples.entries()) {
    if (typeof value !== 'number') return undefined;
    values[at] = value;
  }
  return values.some(Number.isNaN) ? undefined : values;
}

function partOf({ fields }: KeyCondition, values: Float64Array): KeyCondition {
  const tuples = Array.from(values, (value) => [value]);
  return { kind: 'keys', fields, keys: { keys: new Set(tuples.map((one) => keyOfValues(one)!)), tuples } };
}
