/** From a plan to its access path. Pure: asks for the samples of rows that it needs, and is called again with them. */
import type { Catalog } from '../../catalog/model.js';
import { oncePer } from '../../base/once-per.js';
import { conjuncts, type Condition, type Level } from '../../plan/level.js';
import { ownComputed } from '../fields.js';
import { storageDecides, storageFilter } from '../split.js';
import { storageOrder } from '../storage-order.js';
import type {
  Access,
  AlongEmbed,
  Decision,
  KeyRange,
  Lookup,
  Probe,
  RelatedCondition,
  RowAccess,
  Scan,
  SortByEmbeds,
} from './access.js';
import { asksRelated, canLook, lookedMembers, wanted } from './asked.js';
import { decideGroups } from './groups.js';
import { isIndexed, isServed } from './index-use.js';
import { decideKeySets, decideLookup, decideLookups, supposed } from './lookup.js';
import { hasFewRelated, Statistics, type Samples, type Wanted } from './statistics.js';

/** What a read wants from a plan. */
export interface Reading {
  readonly level: Level;
  readonly skip: number;
  readonly limit: number | undefined;
  /** Whether to count the rows that pass. */
  readonly count: boolean;
  /** The rows are needed all at once, as by a write. */
  readonly atOnce: boolean;
}

export interface Undecided {
  readonly kind: 'undecided';
  readonly wanted: readonly Wanted[];
}

/** Total: every plan has an access path. Each undecided call asks for samples that it lacks, of levels of the plan. */
export function decide(catalog: Catalog, reading: Reading, samples: Samples): Decision | Undecided {
  const statistics = new Statistics(catalog, samples);
  const root = decideRoot(statistics, reading);
  const lookups = decideLookups(statistics, reading.level);
  const { wanted: missing } = statistics;
  return missing.length > 0 ? { kind: 'undecided', wanted: missing } : { kind: 'decided', root, lookups };
}

function decideRoot(statistics: Statistics, reading: Reading): Access {
  const { level } = reading;
  if (level.grouped) return decideGroups(level, decideLookup(statistics, level));
  return decideProbe(statistics, reading) ?? decideRows(statistics, reading, decideLookup(statistics, level));
}

/** Windows that end later are not probed row by row. */
const WIDEST = 1_000;
/** With this many reads per row of the window, related rows are rare. */
const LOOKS = 20;
const LEAST_LOOKS = 2_000;

function looksFor(most: number): number {
  return Math.max(LEAST_LOOKS, LOOKS * most);
}

function decideProbe(statistics: Statistics, reading: Reading): Probe | undefined {
  const { level, skip, limit, count } = reading;
  const asked = level.conditions.filter(asksRelated);
  if (asked.length === 0 || count || limit === undefined || skip + limit > WIDEST || !canLook(level))
    return undefined;
  if (level.source.rows !== undefined || storageOrder(level.order).kind !== 'sorted') return undefined;
  if (hasFewRelated(statistics, level)) return undefined;
  const most = skip + limit;
  const firstGroup = Math.min(WIDEST, Math.max(100, 2 * most));
  return {
    kind: 'probe',
    reason: 'a small window in an order of storage, and no side with few related rows',
    estimate: firstGroup,
    own: level.conditions.filter((condition) => !asksRelated(condition)),
    asked,
    members: lookedMembers(asked),
    most,
    looks: looksFor(most),
    firstGroup,
    // If its own conditions left few rows, the probe would have ended with the last of them.
    otherwise: decideRows(statistics, reading, decideKeySets(statistics, level)),
  };
}

/** A window of more rows is streamed. */
const MAX_WINDOW = 10_000;

function decideRows(statistics: Statistics, reading: Reading, lookup: Lookup): RowAccess {
  const { level, skip, limit, atOnce } = reading;
  const { order } = level;
  if (order.some(({ through }) => through.length > 0)) {
    const otherwise: SortByEmbeds = {
      kind: 'sort-by-embeds',
      reason: 'the order is one of related rows',
      estimate: undefined,
      lookup,
    };
    return decideAlong(statistics, reading, otherwise) ?? otherwise;
  }
  const scan: Scan = {
    kind: 'scan',
    reason: SCANS[whoDecides(level)],
    estimate: limit === undefined ? undefined : skip + limit,
    lookup,
  };
  const isLong = limit === undefined || limit > MAX_WINDOW;
  if (isLong && !atOnce && isStreamable(level))
    return { ...scan, kind: 'stream', reason: 'there may be many rows, and storage has them in their order' };
  return decideKeyRange(reading, scan) ?? scan;
}

type Decider = 'storage' | 'storage but for the order' | 'both' | 'module';

const SCANS: Readonly<Record<Decider, string>> = {
  storage: 'storage decides the conditions and the order',
  'storage but for the order': 'storage decides the conditions, and the rows are sorted here',
  both: 'some conditions are decided here, row by row',
  module: 'the rows are those that a function made',
};

const whoDecides = oncePer((level: Level): Decider => {
  if (level.source.rows !== undefined) return 'module';
  if (storageFilter(supposed(level)) === undefined) return 'both';
  return storageOrder(level.order).kind === 'memory' ? 'storage but for the order' : 'storage';
});

/** Whether storage returns the rows one by one as they are answered. */
const isStreamable = oncePer((level: Level): boolean => {
  const isComputed =
    ownComputed(level).length > 0 || level.order.some(({ value }) => value.computed !== undefined);
  return !isComputed && whoDecides(level) === 'storage' && storageOrder(level.order).kind === 'sorted';
});

function decideKeyRange({ level, skip, limit }: Reading, scan: Scan): KeyRange | undefined {
  const [first] = level.order;
  if (first === undefined || limit === undefined || !first.value.plain) return undefined;
  if (scan.lookup.kind !== 'key-sets') return undefined;
  const keyed = conjuncts(level.conditions).find((condition) => isKeyedBy(condition, first.value.field));
  const others = supposed(level);
  if (keyed?.kind !== 'related' || !storageDecides({ ...others, order: level.order })) return undefined;
  return {
    kind: 'key-range',
    reason: 'the order is that of the keys which a lookup finds',
    estimate: skip + limit,
    lookup: scan.lookup,
    keyed,
    descending: first.descending,
    most: skip + limit,
    otherwise: scan,
  };
}

/** Whether it becomes keys of this member. */
function isKeyedBy(condition: Condition, field: string): condition is RelatedCondition {
  if (condition.kind !== 'related' || condition.embed.join.kind === 'call') return false;
  const { parent } = condition.embed.join;
  return parent.length === 1 && parent[0] === field && !wanted(condition)(0);
}

/** If no row without a related one may come before others, and an index has the order and leads from it to the rows. */
function decideAlong(
  { catalog }: Statistics,
  { level, skip, limit }: Reading,
  otherwise: SortByEmbeds,
): AlongEmbed | undefined {
  const [first] = level.order;
  const [embed, ...deeper] = first?.through ?? [];
  if (first === undefined || embed === undefined || deeper.length > 0) return undefined;
  const { join, relationship } = embed;
  const { source, conditions } = embed.level;
  const isWhole = conditions.length === 0 && embed.level.limit !== 0 && embed.level.offset === 0;
  if (join.kind !== 'direct' || relationship.kind === 'computed' || !embed.toOne || !isWhole)
    return undefined;
  if (first.nullsFirst || first.value.nullable || !first.value.plain) return undefined;
  if (limit === undefined || skip + limit > WIDEST) return undefined;
  const filter = storageFilter(supposed(level));
  // By an index the rows that pass are probably few.
  if (filter === undefined || isServed(catalog, level.source.stored, filter)) return undefined;
  if (source.rows !== undefined || !isIndexed(catalog, source.stored, first.value.field)) return undefined;
  if (!isIndexed(catalog, level.source.stored, join.parent[0]!)) return undefined;
  const ordering = { ...first, through: [] };
  if (storageOrder([ordering]).kind !== 'sorted') return undefined;
  const most = skip + limit;
  return {
    kind: 'along-embed',
    reason: 'an index has the related rows in their order, and another leads from them to these',
    estimate: most,
    lookup: otherwise.lookup,
    embed,
    join,
    ordering,
    most,
    looks: looksFor(most),
    otherwise,
  };
}
