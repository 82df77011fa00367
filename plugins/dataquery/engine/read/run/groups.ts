/** Groups and aggregates, by storage or row by row: `GroupAccess`. */
import type { Group } from 'plugboard/sdk';
import { mapPaced } from '../../base/budget.js';
import type { Level } from '../../plan/level.js';
import type { Stored } from '../../values/stored.js';
import type { GroupAccess, GroupCell, StoreGroups } from '../access/access.js';
import { aggregateText, groupsOfOwn, type GroupCells } from '../aggregate.js';
import { ownText, type RenderOptions } from '../cell-text.js';
import type { ReadContext } from '../context.js';
import { coveringKey } from '../covering.js';
import type { RowFilter } from '../row-filter.js';
import { eachRow, scanRows, type Scan } from '../scan.js';
import { storageFilter } from '../split.js';
import { followEmbeds } from './embed.js';
import { orderedObjects } from './ordered-groups.js';
import { renderObjects } from './render.js';

/** The objects of all groups, in the order of the request. */
export async function groupTexts(
  context: ReadContext,
  level: Level,
  access: GroupAccess,
  scan: Scan,
  options: RenderOptions,
): Promise<string[]> {
  const inOrder = (groups: readonly GroupCells[]): Promise<string[]> =>
    orderedObjects(context, level, groups, options, followEmbeds(context));
  switch (access.kind) {
    case 'store-groups': {
      // A lookup may find too many keys to send.
      const filter = storageFilter(scan);
      const made = filter && (await storedGroups(context, level, access, filter, options));
      return made === undefined ? groupTexts(context, level, access.otherwise, scan, options) : inOrder(made);
    }
    case 'row-groups': {
      const groups = groupsOfOwn(level, options);
      await eachRow(context, scan, (row) => {
        groups.add(row);
        if (groups.count > context.budget.rowsLeft) context.budget.refuseRows();
      });
      return inOrder(groups.cells());
    }
    case 'gathered-groups': {
      const rows = await scanRows(context, { ...scan, order: [], skip: 0, limit: undefined });
      return renderObjects(context, level, rows, options);
    }
  }
}

/** Sums of up to this many 32-bit integers are exact as numbers. */
const MOST_SUMMED = 2 ** 21;

/** Undefined if a sum may not be exact. */
async function storedGroups(
  { budget, collection }: ReadContext,
  { source: { stored } }: Level,
  { by, folds, cells }: StoreGroups,
  filter: RowFilter,
  options: RenderOptions,
): Promise<GroupCells[] | undefined> {
  const present = coveringKey(stored, filter, [...by, ...folds.map(({ of }) => of)]);
  const groups = await budget.interrupting((signal) =>
    collection(stored).group(filter, { by, folds, present, limit: budget.rowsLeft + 1, signal }),
  );
  if (groups.length > budget.rowsLeft) budget.refuseRows();
  if (groups.some(({ count }) => count > MOST_SUMMED) && folds.some(({ fold }) => fold === 'sum'))
    return undefined;
  // Without group keys there is one group, even of no rows.
  const all = by.length === 0 && groups.length === 0 ? [nothing(folds)] : groups;
  const texts = cells.map((cell) => textOf(cell, by, options));
  return mapPaced(budget, all, (group) => ({
    cells: texts.map((text) => text(group)),
    sample: { _id: '', ...Object.fromEntries(by.map((field, at) => [field, group.by[at] as Stored])) },
  }));
}

function nothing(folds: StoreGroups['folds']): Group {
  return {
    by: [],
    count: 0,
    folds: folds.map(({ fold }) => (fold === 'count' || fold === 'sum' ? 0 : null)),
  };
}

function textOf(cell: GroupCell, by: readonly string[], options: RenderOptions): (group: Group) => string {
  if (cell.kind === 'by') {
    const [text, field, at] = [ownText(cell.item, options), by[cell.at]!, cell.at];
    return (group) => text({ _id: '', [field]: group.by[at] as Stored | null });
  }
  const { aggregate, counted, of } = cell;
  return (group) => {
    const count = counted === undefined ? group.count : (group.folds[counted] as number);
    if (of === undefined) return aggregateText(aggregate, { count });
    const folded = group.folds[of.at] as Stored | null;
    return aggregateText(aggregate, {
      count,
      ...(of.part === 'best' ? { best: folded } : { digits: String(folded as number) }),
    });
  };
}
