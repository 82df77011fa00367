/**
 * A page of the rows that have one of many keys, in the order of these keys: found by the first keys, without sending
 * the others to storage.
 */
import { conjuncts, type Condition } from '../../plan/level.js';
import { keyOfValues, type KeySet } from '../../plan/key-set.js';
import type { StoredRow } from '../../values/stored.js';
import type { KeyRange } from '../access/access.js';
import type { ReadContext } from '../context.js';
import { scanRows, type Scan } from '../scan.js';
import { storageDecides, type KeyCondition } from '../split.js';

/** Fewer keys are sent at once. */
const MANY = 500;
/** First keys to read for each row of the page: with other conditions not all keys have one. */
const FOR_A_ROW = 4;
/** Growth of the next group. */
const GROWTH = 8;

/** Undefined if the keys are few or not numbers, or the page is not at their beginning. */
export async function keyRange(
  context: ReadContext,
  { keyed: { embed }, descending, most }: KeyRange,
  scan: Scan,
): Promise<StoredRow[] | undefined> {
  const fields = embed.join.kind === 'call' ? [] : embed.join.parent;
  const conditions = conjuncts(scan.conditions);
  const keyed = conditions.find((condition) => isOfMany(condition, fields));
  if (keyed?.kind !== 'keys' || most * FOR_A_ROW * GROWTH > keyed.keys.tuples.length) return undefined;
  const others = conditions.filter((condition) => condition !== keyed);
  // Another lookup may find too many keys to send.
  if (!storageDecides({ ...scan, conditions: others })) return undefined;
  const values = numbersOf(keyed.keys)?.sort();
  if (values === undefined) return undefined;
  if (descending) values.reverse();

  const rows: StoredRow[] = [];
  let size = most * FOR_A_ROW;
  for (let from = 0; from < values.length && rows.length < most;) {
    const part = partOf(keyed, values.subarray(from, from + size));
    const limit = most - rows.length;
    rows.push(...(await scanRows(context, { ...scan, conditions: [part, ...others], skip: 0, limit })));
    from += size;
    size *= GROWTH;
  }
  return rows.slice(scan.skip);
}

function isOfMany(condition: Condition, fields: readonly string[]): boolean {
  if (condition.kind !== 'keys' || condition.keys.tuples.length < MANY) return false;
  return condition.fields.length === 1 && condition.fields[0] === fields[0];
}

/** Both stores order numbers alike; undefined if there are other values. */
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
