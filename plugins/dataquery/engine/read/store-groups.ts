/** Groups and aggregates that storage makes by itself, so that no row is handed out. */
import type { Fold, Group } from 'plugboard/sdk';
import type { AggregateOutput, Level, Output } from '../plan/level.js';
import type { Value } from '../plan/value.js';
import type { Stored } from '../values/stored.js';
import { mapPaced } from '../base/budget.js';
import { aggregateText, type GroupCells } from './aggregate.js';
import type { ReadContext } from './context.js';
import { coveringKey } from './covering.js';
import type { RowFilter } from './row-filter.js';
import type { CellTexts } from './cell-text.js';

/** Sums of so many integers of 32 bits are exact as numbers. */
const MOST_SUMMED = 2 ** 21;

/** Each group, or undefined where storage does not make them as SQL does. */
export async function storedGroups(
  context: ReadContext,
  level: Level,
  filter: RowFilter,
  texts: CellTexts,
): Promise<GroupCells[] | undefined> {
  const by: string[] = [];
  const folds: Fold[] = [];
  const cells: ((group: Group) => string)[] = [];
  for (const item of level.output) {
    const cell = cellOf(item, by, folds, texts);
    if (cell === undefined) return undefined;
    cells.push(cell);
  }
  const { budget } = context;
  const rows = context.collection(level.source.stored);
  const read = [...by, ...folds.map(({ of }) => of)];
  const present = coveringKey(level.source.stored, filter, read);
  const groups = await budget.interrupting((signal) =>
    rows.group(filter, { by, folds, present, limit: budget.rowsLeft + 1, signal }),
  );
  if (groups.length > budget.rowsLeft) budget.refuseRows();
  if (groups.some(({ count }) => count > MOST_SUMMED) && folds.some(({ fold }) => fold === 'sum'))
    return undefined;
  // Without anything to group by there is one group, also of no rows.
  const all = by.length === 0 && groups.length === 0 ? [nothing(folds)] : groups;
  return mapPaced(budget, all, (group) => ({
    cells: cells.map((cell) => cell(group)),
    sample: { _id: '', ...Object.fromEntries(by.map((field, at) => [field, group.by[at] as Stored])) },
  }));
}

function nothing(folds: readonly Fold[]): Group {
  return {
    by: [],
    count: 0,
    folds: folds.map(({ fold }) => (fold === 'count' || fold === 'sum' ? 0 : null)),
  };
}

function cellOf(
  item: Output,
  by: string[],
  folds: Fold[],
  texts: CellTexts,
): ((group: Group) => string) | undefined {
  if (item.kind === 'value') {
    if (!item.value.plain || !isScalar(item.value)) return undefined;
    const { field } = item.value;
    const at = placeOf(by, field);
    const text = texts(item);
    return (group) => text({ _id: '', [field]: group.by[at] as Stored | null });
  }
  return item.kind === 'aggregate' ? aggregated(item.aggregate, folds) : undefined;
}

function aggregated(aggregate: AggregateOutput, folds: Fold[]): ((group: Group) => string) | undefined {
  const { name, value } = aggregate;
  if (value === undefined) return ({ count }) => aggregateText(aggregate, { count });
  if (!value.plain || !isScalar(value)) return undefined;
  const place = (fold: Fold['fold']): number => folds.push({ fold, of: value.field }) - 1;
  // Where no value is null the rows are as many.
  const counted = value.nullable ? place('count') : undefined;
  const countIn = (group: Group): number =>
    counted === undefined ? group.count : (group.folds[counted] as number);
  if (name === 'count') return (group) => aggregateText(aggregate, { count: countIn(group) });
  if (name === 'min' || name === 'max') {
    // A number that is none is stored as a text, and is the greatest.
    if (!value.type.ordered || value.type.family === 'float') return undefined;
    const at = place(name);
    return (group) =>
      aggregateText(aggregate, { count: countIn(group), best: group.folds[at] as Stored | null });
  }
  if (!SHORT.has(value.type.name)) return undefined;
  const at = place('sum');
  return (group) =>
    aggregateText(aggregate, { count: countIn(group), digits: String(group.folds[at] as number) });
}

/** Integers of at most 32 bits. */
const SHORT: ReadonlySet<string> = new Set(['smallint', 'integer']);

function isScalar({ type }: Value): boolean {
  return type.equality && type.family !== 'array' && type.family !== 'unknown';
}

function placeOf(list: string[], item: string): number {
  const at = list.indexOf(item);
  return at === -1 ? list.push(item) - 1 : at;
}
