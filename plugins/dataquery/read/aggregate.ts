/** Aggregates: rows with equal other cells become one, as with GROUP BY. */
import type { AggregateOutput, Level } from '../plan/level.js';
import { castValue } from '../values/cast.js';
import type { Stored, StoredRow } from '../values/stored.js';
import { addDecimals, divideDecimal } from './decimal-sum.js';
import type { Cells, CellWriter } from './render.js';

/** One list of cells per group, in the order in which the groups first appear. */
export function aggregateRows(
  level: Level,
  rows: readonly StoredRow[],
  writers: readonly CellWriter[],
): Cells[] {
  const groups = new Map<string, { parts: string[][]; rows: StoredRow[] }>();
  for (const row of rows) {
    const parts = writers.map((write) => cellsOf(write, row));
    const key = JSON.stringify(parts);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { parts, rows: [row] });
    else group.rows.push(row);
  }
  const isWhole = level.output.every((item) => item.kind === 'aggregate');
  if (groups.size === 0 && isWhole) groups.set('', { parts: writers.map(() => []), rows: [] });
  return [...groups.values()].map((group) =>
    level.output.flatMap((item, at) =>
      item.kind === 'aggregate' ? [aggregated(item.aggregate, group.rows)] : group.parts[at]!,
    ),
  );
}

function cellsOf(write: CellWriter, row: StoredRow): string[] {
  const cells: string[] = [];
  write(row, cells);
  return cells;
}

function aggregated(aggregate: AggregateOutput, rows: readonly StoredRow[]): string {
  const result = compute(aggregate, rows);
  if (result === null) return 'null';
  const { type, cast } = aggregate;
  return cast === undefined ? type.toJson(result) : cast.toJson(castValue(result, type, cast));
}

/** Nulls do not count; of no values everything but the count is null. */
function compute({ name, value, type }: AggregateOutput, rows: readonly StoredRow[]): Stored | null {
  if (value === undefined) return rows.length;
  const values = rows.map((row) => value.read(row)).filter((stored) => stored !== null);
  if (name === 'count') return values.length;
  if (values.length === 0) return null;
  if (name === 'max' || name === 'min') {
    const sign = name === 'max' ? 1 : -1;
    return values.reduce((best, stored) => (value.type.compare(stored, best) * sign > 0 ? stored : best));
  }
  if (value.type.family === 'float') {
    const sum = values.reduce((total: number, stored) => total + Number(stored), 0);
    return type.parse(String(name === 'sum' ? sum : sum / values.length));
  }
  const sum = addDecimals(values.map((stored) => value.type.toText(stored).replace(/[$,]/g, '')));
  return type.parse(name === 'sum' ? sum : divideDecimal(sum, values.length));
}
