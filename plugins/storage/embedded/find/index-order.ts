/** Whether an index provides the requested order, and in which direction. */
import type { Demand } from './bounds.js';
import type { CollectionDefinition, IndexDefinition } from '../definition.js';
import type { SortKey } from './sort.js';

/**
 * The direction in which the index provides the order; undefined if it does not. `withinRuns`: asks about each run by
 * itself, in which a path with several points has one.
 */
export function orderOf(
  collection: CollectionDefinition,
  index: IndexDefinition,
  bounded: readonly (Demand | undefined)[],
  sort: readonly SortKey[],
  withinRuns: boolean,
): 1 | -1 | undefined {
  if (index.truncated) return undefined;
  let direction: 1 | -1 | undefined;
  const agrees = (turn: 1 | -1): boolean => (direction ??= turn) === turn;
  const isConstant = (at: number): boolean => {
    const demand = bounded[at];
    if (demand === undefined || !('points' in demand)) return false;
    // The item of an array that matches the point need not be the one that decides the order.
    const sorted = sort.some(({ path }) => path === index.pathNames[at]);
    return sorted
      ? demand.points.length === 1 && !hasArrays(index, at)
      : withinRuns || demand.points.length === 1;
  };
  const constants = new Set(index.pathNames.filter((_, at) => isConstant(at)));
  const remaining = sort.filter(({ path }) => !constants.has(path));
  let at = 0;
  for (const { path, direction: wantedDirection } of remaining) {
    while (at < index.paths.length && constants.has(index.pathNames[at]!)) at++;
    if (at < index.paths.length && index.pathNames[at] === path) {
      // A bound on an array's items hides the item that decides the order.
      const hidden = bounded.some((demand, place) => demand !== undefined && hasArrays(index, place));
      if (hasArrays(index, at) && hidden) return undefined;
      if (!agrees((wantedDirection * index.directions[at]!) as 1 | -1)) return undefined;
      at++;
    } else if (path === '_id' && at === index.paths.length) {
      // In a unique index no two entries tie; elsewhere ties are in the order of the id.
      if (
        index.spec.unique !== true &&
        (collection.longIds || !agrees((wantedDirection * index.directions.at(-1)!) as 1 | -1))
      )
        return undefined;
      break;
    } else {
      return undefined;
    }
  }
  // Several ranges are in order one after another only if they bound the paths of the sort.
  const points = bounded.findIndex(
    (demand, place) => demand !== undefined && 'points' in demand && !isConstant(place),
  );
  if (points >= 0 && remaining.length > 0 && !sortsBy(remaining, index, points, constants)) return undefined;
  return direction ?? 1;
}

/** Whether the sort has the path at `place` before any later one. */
function sortsBy(
  sort: readonly SortKey[],
  index: IndexDefinition,
  place: number,
  constants: ReadonlySet<string>,
): boolean {
  const order = index.pathNames.slice(0, place + 1).filter((path) => !constants.has(path));
  return order.every((path, at) => sort[at]?.path === path);
}

function hasArrays(index: IndexDefinition, at: number): boolean {
  return (index.multikey & (1 << at)) !== 0;
}
