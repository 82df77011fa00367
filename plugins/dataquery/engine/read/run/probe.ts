/**
 * A page of rows by conditions on related rows: reads few rows in order, where looking up the keys of all related rows
 * would read whole relations.
 */
import { keySet } from '../../plan/key-set.js';
import type { StoredRow } from '../../values/stored.js';
import type { Probe } from '../access/access.js';
import type { ReadContext } from '../context.js';
import { orderedRows, scanRows, type Scan } from '../scan.js';
import { passing } from './looked.js';

/** Rows that are looked at together. */
const LEAST_GROUP = 100;
const MOST_GROUP = 1_000;
/** Related rows that are held at most. */
const MOST_ROWS = 50_000;

/** The rows of the window, or undefined if too many rows do not pass. */
export function probedRows(context: ReadContext, probe: Probe, scan: Scan): Promise<StoredRow[] | undefined> {
  return context.budget.tryWithRows(MOST_ROWS, () => probed(context, probe, scan));
}

async function probed(
  context: ReadContext,
  { own, asked, members, most, looks, firstGroup }: Probe,
  scan: Scan,
): Promise<StoredRow[] | undefined> {
  // Shown members are read only for rows that pass: an index may cover the rest.
  const rows = orderedRows(context, { ...scan, conditions: own, fields: members, computed: [] });
  const { skip } = scan;
  let size = firstGroup;
  const found: StoredRow[] = [];
  let looked = 0;
  let group: StoredRow[] = [];
  for await (const row of rows) {
    group.push(row);
    if (group.length < size) continue;
    found.push(...(await passing(context, asked, group)));
    if (found.length >= most) return shown(context, scan, found.slice(skip, most), members);
    looked += group.length;
    if (looked >= looks) return undefined;
    size = nextGroup(most - found.length, found.length, looked);
    group = [];
  }
  found.push(...(await passing(context, asked, group)));
  return shown(context, scan, found.slice(skip, most), members);
}

/** As many rows as probably hold the remaining ones; if few pass, fewer and larger groups. */
function nextGroup(wantedRows: number, found: number, looked: number): number {
  const rate = (found + 1) / (looked + 1);
  return Math.min(MOST_GROUP, Math.max(LEAST_GROUP, Math.ceil((1.2 * wantedRows) / rate)));
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
  // Rows deleted meanwhile are gone.
  return found.flatMap(({ _id }) => byId.get(_id) ?? []);
}
