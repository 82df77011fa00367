/** Aggregates: rows with equal other cells become one, as with GROUP BY. Rows are added one by one, and not kept. */
import type { AggregateOutput, Level } from '../plan/level.js';
import { castValue } from '../values/cast.js';
import type { Stored, StoredRow } from '../values/stored.js';
import { DecimalSum } from './decimal-sum.js';
import { ownText, type RenderOptions, type TextOf } from './cell-text.js';

/** A cell of a group: a value that its rows share, or an aggregate of them. */
export type GroupColumn =
  | { readonly kind: 'group'; readonly text: TextOf }
  | {
      readonly kind: 'aggregate';
      readonly aggregate: AggregateOutput;
      /** The row that has the value: the row itself, or a spread's target. */
      readonly rowOf: (row: StoredRow) => StoredRow | undefined;
    };

/** The column seen from the row where a spread starts; null without a related row. */
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

/** The JSON texts of a group's cells, and one of its rows, by which groups are ordered. */
export interface GroupCells {
  readonly cells: readonly string[];
  readonly sample: StoredRow;
}

interface Group {
  readonly sample: StoredRow;
  /** The least id of its rows: groups come in the order in which their first rows were inserted. */
  first: string;
  /** JSON texts of the values that the rows share; empty for an aggregate. */
  readonly cells: readonly string[];
  readonly accumulators: readonly (Accumulator | undefined)[];
}

const NO_ROW: StoredRow = { _id: '' };
/** After every id. */
const AFTER_ALL = '\uffff';

export class Groups {
  readonly #columns: readonly GroupColumn[];
  readonly #groups = new Map<string, Group>();
  readonly #isWhole: boolean;

  constructor(columns: readonly GroupColumn[]) {
    this.#columns = columns;
    this.#isWhole = columns.every(({ kind }) => kind === 'aggregate');
    // Without group keys there is one group, even of no rows.
    if (this.#isWhole)
      this.#groups.set(
        '',
        this.#group(
          columns.map(() => ''),
          NO_ROW,
        ),
      );
  }

  get count(): number {
    return this.#groups.size;
  }

  add(row: StoredRow): void {
    const group = this.#groupOf(row);
    if (row._id < group.first) group.first = row._id;
    const { accumulators } = group;
    for (let at = 0; at < accumulators.length; at += 1) accumulators[at]?.add(row);
  }

  #groupOf(row: StoredRow): Group {
    if (this.#isWhole) return this.#groups.get('')!;
    const cells = this.#columns.map((column) => (column.kind === 'group' ? column.text(row) : ''));
    const key = JSON.stringify(cells);
    let group = this.#groups.get(key);
    if (group === undefined) this.#groups.set(key, (group = this.#group(cells, row)));
    return group;
  }

  #group(cells: readonly string[], sample: StoredRow): Group {
    const accumulators = this.#columns.map((column) =>
      column.kind === 'aggregate' ? accumulator(column) : undefined,
    );
    return { sample, first: AFTER_ALL, cells, accumulators };
  }

  cells(): GroupCells[] {
    const groups = [...this.#groups.values()].sort((a, b) =>
      a.first < b.first ? -1 : a.first > b.first ? 1 : 0,
    );
    return groups.map(({ cells, accumulators, sample }) => ({
      cells: cells.map((cell, at) => accumulators[at]?.text() ?? cell),
      sample,
    }));
  }
}

/** Aggregate state of a group's values that are not null. */
export interface Folded {
  readonly count: number;
  /** Their sum, with as many decimals as it has. */
  readonly digits?: string;
  /** The least or the greatest of them. */
  readonly best?: Stored | null;
}

/** The JSON text of an aggregate: for no values, everything but the count is null. */
export function aggregateText(aggregate: AggregateOutput, { count, digits, best }: Folded): string {
  const { name, value, type, cast } = aggregate;
  const print = (stored: Stored): string =>
    cast === undefined ? type.toJson(stored) : cast.toJson(castValue(stored, type, cast));
  if (name === 'count') return print(count);
  if (count === 0) return 'null';
  if (name === 'max' || name === 'min') return print(best!);
  if (type.family === 'money') return print(type.parse(moneyText(digits!)));
  if (value?.type.family === 'float') return print(type.parse(digits!));
  if (isSpecial(digits!)) return print(type.parse(digits!));
  const sum = name === 'sum' ? digits! : averageOf(digits!, count);
  // As PostgreSQL prints it, with zeros that the stored form does not keep.
  return cast === undefined && type.family === 'numeric' ? sum : print(type.parse(sum));
}

/** NaN or an infinity. */
function isSpecial(digits: string): boolean {
  return digits.endsWith('NaN') || digits.endsWith('Infinity');
}

function averageOf(digits: string, count: number): string {
  const sum = new DecimalSum();
  sum.add(digits);
  return sum.average(count);
}

interface Accumulator {
  add(row: StoredRow): void;
  text(): string;
}

/** Nulls do not count. */
function accumulator({ aggregate, rowOf }: Extract<GroupColumn, { kind: 'aggregate' }>): Accumulator {
  const { name, value } = aggregate;
  let count = 0;
  if (value === undefined)
    return { add: () => void (count += 1), text: () => aggregateText(aggregate, { count }) };
  const over = (take: (stored: Stored) => void, folded: () => Omit<Folded, 'count'>): Accumulator => ({
    add: (row) => {
      const related = rowOf(row);
      const stored = related === undefined ? null : value.read(related);
      if (stored === null) return;
      count += 1;
      take(stored);
    },
    text: () => aggregateText(aggregate, { count, ...(count === 0 ? {} : folded()) }),
  });
  if (name === 'count')
    return over(
      () => {},
      () => ({}),
    );
  if (name === 'max' || name === 'min') {
    const sign = name === 'max' ? 1 : -1;
    let best: Stored | undefined;
    const isBetter = (stored: Stored): boolean =>
      best === undefined || value.type.compare(stored, best) * sign > 0;
    return over(
      (stored) => void (isBetter(stored) && (best = stored)),
      () => ({ best: best! }),
    );
  }
  if (value.type.family === 'float') {
    let sum = 0;
    // PostgreSQL sums reals as reals, and averages them as doubles.
    const added = name === 'sum' && value.type.name === 'real' ? Math.fround : Number;
    return over(
      (stored) => void (sum = added(sum + Number(stored))),
      () => ({ digits: String(name === 'sum' ? sum : sum / count) }),
    );
  }
  const isDecimal = value.type.family === 'numeric';
  const sum = isDecimal ? new DecimalSum() : new WholeSum();
  return over(
    (stored) => sum.add(isDecimal ? value.type.toText(stored) : stored),
    () => ({ digits: sum.special ?? sum.digits() }),
  );
}

/** Integers, as numbers while they are exact. */
class WholeSum {
  readonly special = undefined;
  #short = 0;
  #long = 0n;

  add(value: Stored): void {
    const sum = typeof value === 'number' ? this.#short + value : Number.NaN;
    if (Number.isSafeInteger(sum)) this.#short = sum;
    else this.#long += BigInt(value as number | bigint);
  }

  digits(): string {
    return String(this.#long + BigInt(this.#short));
  }
}

/** From cents. */
function moneyText(cents: string): string {
  const digits = cents.replace('-', '').padStart(3, '0');
  return `${cents.startsWith('-') ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Groups of streamed rows, if all cells come from the rows themselves. */
export function groupsOfOwn(level: Level, options: RenderOptions): Groups {
  const columns = level.output.map((item): GroupColumn =>
    item.kind === 'aggregate'
      ? { kind: 'aggregate', aggregate: item.aggregate, rowOf: (row) => row }
      : { kind: 'group', text: ownText(item, options) },
  );
  return new Groups(columns);
}
