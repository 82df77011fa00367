/** The index ranges that a filter selects. */
import { combine, type Demand, type Demands } from './bounds.js';
import type { CollectionDefinition, IndexDefinition } from '../definition.js';
import type { Range } from '../lmdb/key-space.js';
import { prefix, successor } from '../values/key-encoding.js';
import { between, extend } from './ranges.js';

/** An index range, and the length of the common prefix of its keys. */
export interface Run {
  readonly range: Range;
  readonly alike: number;
  /** Whether the range has at most one entry, whose key is its start. */
  readonly single: boolean;
}

/** Most points: beyond it an index is used up to an earlier path only. Finding a point costs a microsecond or two. */
const MOST_RANGES = 2_000;

interface Bounded {
  /** The bounds on the first paths. */
  readonly bounded: readonly Demand[];
  readonly runs: Run[];
  readonly worth: number;
}

/** `item`: the value for the first path, an array, instead of its own demand. */
export function boundedRuns(index: IndexDefinition, wanted: Demands, item?: Demand): Bounded {
  const bounded: Demand[] = [];
  let prefixes: Buffer[] = [prefix(index.number)];
  let runs: Run[] | undefined;
  let worth = 0;
  for (const [at, path] of index.pathNames.entries()) {
    const own = at === 0 ? item : undefined;
    const demand = own ?? combine(wanted.byPath.get(path) ?? [], (index.multikey & (1 << at)) !== 0);
    if (demand === undefined) break;
    if ('points' in demand) {
      if (prefixes.length * demand.points.length > MOST_RANGES) break;
      prefixes = extend(prefixes, demand.points, index, at);
      worth += 4;
    } else {
      runs = prefixes.map((start) => ({
        range: between(start, demand, index, at),
        alike: start.length,
        single: false,
      }));
      worth += 2;
    }
    bounded.push(demand);
    if (runs !== undefined) break;
  }
  // Only the keys of a unique index end with its last value.
  const single = bounded.length === index.paths.length && index.spec.unique === true;
  runs ??= prefixes.map((start) => ({
    range: { start, end: successor(start) },
    alike: start.length,
    single,
  }));
  runs.sort((a, b) => Buffer.compare(a.range.start, b.range.start));
  return { bounded, runs, worth };
}

/** Items beyond this number are checked in the documents. */
const MOST_ITEMS = 16;

/**
 * The runs of further items, if the first path leads to arrays of which several items are demanded. They can be
 * intersected only if keys after the item are untruncated and identify the document.
 */
export function otherItems(collection: CollectionDefinition, index: IndexDefinition, wanted: Demands): Run[] {
  if (index.multikey !== 1 || index.truncated || index.spec.unique === true || collection.longIds) return [];
  const demands = wanted.byPath.get(index.pathNames[0]!) ?? [];
  const own = combine(demands, true);
  if (own === undefined || !isItem(own)) return [];
  const others = demands.filter((demand) => demand !== own && isItem(demand)).slice(0, MOST_ITEMS);
  return others.flatMap((item) => boundedRuns(index, wanted, item).runs);
}

function isItem(demand: Demand): boolean {
  return 'points' in demand && demand.points.length === 1 && typeof demand.points[0] === 'string';
}
