/**
 * A page of rows by what is related to them: found by looking at few of them in their order, where looking up the keys
 * of all related rows would read whole relations.
 */
import { keySet } from '../plan/key-set.js';
import type { Level } from '../plan/level.js';
import type { StoredRow } from '../values/stored.js';
import { asksRelated } from './asked.js';
import type { ReadContext } from './context.js';
import { hasFewRelated } from './few-rows.js';
import { canLook, lookedMembers, passing } from './looked.js';
import { orderedRows, scanRows, type Scan } from './scan.js';

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
  if (asked.length === 0 || limit === undefined || skip + limit > WIDEST || !canLook(level)) return undefined;
  // What is shown is read of those rows alone that pass: an index may have all that is looked at.
  const fields = lookedMembers(asked);
  const rows = orderedRows(context, {
    ...scan,
    conditions: level.conditions.filter((one) => !asksRelated(one)),
    fields,
    computed: [],
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
    if (found.length >= most) return shown(context, scan, found.slice(skip, most), fields);
    looked += group.length;
    if (looked >= looks) return undefined;
    size = nextGroup(most - found.length, found.length, looked);
    group = [];
  }
  found.push(...(await passing(context, asked, group)));
  return shown(context, scan, found.slice(skip, most), fields);
}

/** As many rows as probably hold those that are still wanted; where few pass, fewer and larger groups. */
function nextGroup(wantedRows: number, found: number, looked: number): number {
  const rate = (found + 1) / (looked + 1);
  return Math.min(WIDEST, Math.max(LEAST_GROUP, Math.ceil((1.2 * wantedRows) / rate)));
}

/** What the scan reads of the rows, in their order. */
async function shown(
  context: ReadContext,
  scan: Scan,
  found: StoredRow[],
  known: ReadonlySet<string>,
): Promise<StoredRow[]> {
  const isRead = scan.fields !== undefined && [...scan.fields].every((field) => known.has(field));
  if (found.length === 0 || (isRead && scan.computed.length === 0)) return found;
  const keys = { kind: 'keys', fields: ['_id'], keys: keySet(found, ['_id']) } as const;
  const window = { conditions: [], order: [], inAnyOrder: true, skip: 0, limit: undefined } as const;
  const rows = await scanRows(context, { ...scan, ...window, keys });
  const byId = new Map(rows.map((row) => [row._id, row]));
  // One that was deleted meanwhile is not there any more.
  return found.flatMap(({ _id }) => byId.get(_id) ?? []);
}
