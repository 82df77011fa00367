/** Aggregates: rows with equal other cells become one, as with GROUP BY. */
import type { AggregateOutput } from '../plan/level.js';
import { castValue } from '../values/cast.js';
import type { Stored, StoredRow } from '../values/stored.js';
import { addDecimals, divideDecimal } from './decimal-sum.js';
import type { TextOf } from './render.js';

/** A cell of a group: one of the values that its rows share, or an aggregate of them. */
export type GroupColumn =
  | { readonly kind: 'group'; readonly text: TextOf }
  | {
      readonly kind: 'aggregate';
      readonly aggregate: AggregateOutput;
      /** The row whose value counts: the row itself, or what a spread leads to. */
      readonly rowOf: (row: StoredRow) => StoredRow | undefined;
    };

/** The column seen from the row that a spread starts at; without a related row its value is null. */
export function throughSpread(
  column: GroupColumn,
  child: (row: StoredRow) => StoredRow | undefined,
): GroupColumn {
  if (column.kind === 'group') {
    return {
      kind: 'group',
      text: (row) => {
        const related = child(row);
        return related === undefined ? 'null' : column.text(related);
      },
    };
  }
  const { rowOf } = column;
  return {
    ...column,
    rowOf: (row) => {
      const related = child(row);
      return related === undefined ? undefined : rowOf(related);
    },
  };
}

/** The JSON texts of the cells of each group, in the order in which the groups first appear. */
export function groupRows(columns: readonly GroupColumn[], rows: readonly StoredRow[]): string[][] {
  const groups = new Map<string, { cells: string[]; rows: StoredRow[] }>();
  for (const row of rows) {
    const cells = columns.map((column) => (column.kind === 'group' ? column.text(row) : ''));
    const key = JSON.stringify(cells);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { cells, rows: [row] });
    else group.rows.push(row);
  }
  const isWhole = columns.every(({ kind }) => kind === 'aggregate');
  if (groups.size === 0 && isWhole) groups.set('', { cells: columns.map(() => ''), rows: [] });
  return [...groups.values()].map((group) =>
    columns.map((column, at) =>
      column.kind === 'aggregate' ? aggregated(column, group.rows) : group.cells[at]!,
    ),
  );
}

type AggregateColumn = Extract<GroupColumn, { kind: 'aggregate' }>;

function aggregated(column: AggregateColumn, rows: readonly StoredRow[]): string {
  const result = compute(column, rows);
  if (result === null) return 'null';
  const { type, cast } = column.aggregate;
  return cast === undefined ? type.toJson(result) : cast.toJson(castValue(result, type, cast));
}

/** Nulls do not count; of no values everything but the count is null. */
function compute({ aggregate, rowOf }: AggregateColumn, rows: readonly StoredRow[]): Stored | null {
  const { name, value, type } = aggregate;
  if (value === undefined) return rows.length;
  const values = rows
    .map(rowOf)
    .map((row) => (row === undefined ? null : value.read(row)))
    .filter((stored) => stored !== null);
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
