/** A change as a subscriber gets it: what its caller saw before and sees now. */
import type { ResumeToken } from 'plugboard/sdk';
import type { Column } from '../catalog/model.js';
import type { ReadContext } from '../read/context.js';
import { passing } from '../read/run/looked.js';
import type { RowChange } from '../rows/row-changes.js';
import type { StoredRow } from '../values/stored.js';
import type { LiveView } from './view.js';

/** `LEAVE`: the row still exists, and no longer matches the subscription. */
export type ToldType = 'INSERT' | 'UPDATE' | 'DELETE' | 'LEAVE';

export interface ToldChange {
  readonly type: ToldType;
  readonly token: ResumeToken;
  /** JSON: the `data` of `postgres_changes`. */
  readonly text: string;
}

export interface Placed {
  readonly token: ResumeToken;
  readonly change: RowChange;
}

/** The message for each change; undefined for changes outside the view. They are checked together. */
export async function toldChanges(
  reading: ReadContext,
  view: LiveView,
  changes: readonly Placed[],
): Promise<(ToldChange | undefined)[]> {
  const own = changes.filter(({ change }) => change.collection === view.collection);
  const rows = own.flatMap(({ change: { before, after } }) => [
    ...(before === undefined ? [] : [before]),
    ...(after === undefined ? [] : [after]),
  ]);
  const seen = new Set(await passing(reading, view.conditions, rows));
  return changes.map(({ token, change }) => {
    const before = change.before !== undefined && seen.has(change.before) ? change.before : undefined;
    const after = change.after !== undefined && seen.has(change.after) ? change.after : undefined;
    const type = typeOf(change, before, after);
    return type && { type, token, text: dataText(view, type, change.at, before, after) };
  });
}

/** A row that comes into view is an UPDATE: whoever waits for `status=eq.done` waits for that. */
function typeOf(
  change: RowChange,
  before: StoredRow | undefined,
  after: StoredRow | undefined,
): ToldType | undefined {
  if (after !== undefined) return change.before === undefined ? 'INSERT' : 'UPDATE';
  if (before === undefined) return undefined;
  return change.after === undefined ? 'DELETE' : 'LEAVE';
}

function dataText(
  { wanted: { schema, relation }, columns }: LiveView,
  type: ToldType,
  at: Date,
  before: StoredRow | undefined,
  after: StoredRow | undefined,
): string {
  const head = JSON.stringify({ schema, table: relation, type, commit_timestamp: at.toISOString() });
  const types = [...columns].map(([name, { type: of }]) => ({ name, type: toldTypeName(of.name) }));
  const rows = `"record":${rowText(columns, after)},"old_record":${rowText(columns, before)}`;
  return `${head.slice(0, -1)},"columns":${JSON.stringify(types)},${rows},"errors":null}`;
}

function rowText(columns: ReadonlyMap<string, Column>, row: StoredRow | undefined): string {
  if (row === undefined) return '{}';
  const cells = [...columns].map(([name, { field, type }]) => {
    const stored = row[field] ?? null;
    return `${JSON.stringify(name)}:${stored === null ? (type.nullToJson?.() ?? 'null') : type.toJson(stored)}`;
  });
  return `{${cells.join(',')}}`;
}

/** Supabase clients parse texts of these types again, and would take the JSON text "5" for the number. */
const READ_ANEW: ReadonlySet<string> = new Set(['json', 'jsonb', 'numeric', 'timestamp', 'oid']);

function toldTypeName(name: string): string {
  return READ_ANEW.has(name) ? `pg_catalog.${name}` : name;
}
