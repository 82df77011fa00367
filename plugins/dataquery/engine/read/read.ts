/** Runs a plan: the rows of the root within a window, and everything embedded in them, as JSON text. */
import type { Condition, Level } from '../plan/level.js';
import type { StoredRow } from '../values/stored.js';
import { rowsAlongEmbed } from './along-embed.js';
import type { ReadContext } from './context.js';
import { followEmbeds } from './embed.js';
import { ownComputed, rootFields } from './fields.js';
import { pageInKeyOrder } from './keys-in-order.js';
import { orderRows } from './order.js';
import { probedRows } from './probe.js';
import { lookUpRelated } from './related.js';
import { orderedObjects } from './ordered-groups.js';
import { ownTexts, type RenderOptions } from './cell-text.js';
import { groupsOfOwn } from './aggregate.js';
import { renderObjects } from './render.js';
import { countRows, eachRow, scanRows, rowStream, storageFilter, type Scan } from './scan.js';
import { storedGroups } from './store-groups.js';

/** Rows that are joined, rendered and sent on together. */
const BATCH = 1_000;
/** A window of more rows is streamed. */
const MAX_WINDOW = 10_000;

export interface Window {
  /** On top of the plan's own offset and limit, as a `Range` header wants it. */
  readonly offset: number;
  readonly limit: number | undefined;
}

export interface ReadOptions extends RenderOptions {
  readonly window: Window;
  /** Whether to count the rows that pass the filters, whatever the window. */
  readonly count: boolean;
}

export interface ReadResult {
  /** How many rows are returned. */
  readonly returned: number;
  /** The position of the first of them. */
  readonly offset: number;
  /** How many rows there are in all; undefined when it was not asked for. */
  readonly total: number | undefined;
  /** JSON texts of the rows, in batches. */
  readonly batches: AsyncIterable<readonly string[]>;
}

export async function readRows(asked: ReadContext, level: Level, options: ReadOptions): Promise<ReadResult> {
  const context: ReadContext = { ...asked, few: new Map() };
  const probed = options.count || level.grouped ? undefined : await probe(context, level, options);
  if (probed !== undefined) return probed;
  const scan = await rootScan(context, level, options.window);
  if (level.grouped) return readGroups(context, level, scan, options);
  if (scan.limit !== undefined && scan.limit <= MAX_WINDOW) return readWindow(context, level, scan, options);
  return readLong(context, level, scan, options);
}

/** A page of rows by what is related to them, where looking at few rows finds it. */
async function probe(
  context: ReadContext,
  level: Level,
  options: ReadOptions,
): Promise<ReadResult | undefined> {
  const scan = windowScan(level, options.window, level.conditions);
  const rows = await probedRows(context, level, scan);
  if (rows === undefined) return undefined;
  return result(rows.length, scan, undefined, render(context, level, batchesOf(rows), options));
}

/** The window at once: its rows are few. */
async function readWindow(
  context: ReadContext,
  level: Level,
  scan: Scan,
  options: ReadOptions,
): Promise<ReadResult> {
  const [rows, total] = await Promise.all([
    rootRows(context, level, scan),
    options.count ? countRows(context, scan) : undefined,
  ]);
  return result(rows.length, scan, total, render(context, level, batchesOf(rows), options));
}

/** An unknown number of rows: when they are too many to hold they are counted first, because the headers carry the count. */
async function readLong(
  context: ReadContext,
  level: Level,
  scan: Scan,
  options: ReadOptions,
): Promise<ReadResult> {
  const ownOrder = level.order.every(({ through }) => through.length === 0);
  const open = ownOrder ? rowStream(context, scan) : undefined;
  const head = await rootRows(context, level, open === undefined ? scan : { ...scan, limit: MAX_WINDOW + 1 });
  if (open === undefined || head.length <= MAX_WINDOW) {
    const isAll = scan.limit === undefined && (head.length > 0 || scan.skip === 0);
    const counted = async (): Promise<number> => (isAll ? scan.skip + head.length : countRows(context, scan));
    const total = options.count ? await counted() : undefined;
    return result(head.length, scan, total, render(context, level, batchesOf(head), options));
  }
  const total = await countRows(context, scan);
  const returned = Math.max(0, Math.min(total - scan.skip, scan.limit ?? Infinity));
  const batches = render(context, level, gather(open(), returned), options);
  return result(returned, scan, options.count ? total : undefined, batches);
}

function result(
  returned: number,
  scan: Scan,
  total: number | undefined,
  batches: ReadResult['batches'],
): ReadResult {
  return { returned, offset: scan.skip, total, batches };
}

/** Groups are rows of their own: the window is one of groups. */
async function readGroups(
  context: ReadContext,
  level: Level,
  scan: Scan,
  options: ReadOptions,
): Promise<ReadResult> {
  const groups = await groupTexts(context, level, scan, options);
  const texts = groups.slice(scan.skip, scan.limit === undefined ? undefined : scan.skip + scan.limit);
  spend(context, texts);
  return result(texts.length, scan, options.count ? groups.length : undefined, once(texts));
}

/**
 * Rows whose cells are their own are grouped by storage or added one by one; others are gathered
 * first.
 */
async function groupTexts(
  context: ReadContext,
  level: Level,
  scan: Scan,
  options: ReadOptions,
): Promise<string[]> {
  if (level.embeds.length > 0 || scan.computed.length > 0) {
    const rows = await scanRows(context, { ...scan, order: [], skip: 0, limit: undefined });
    return renderObjects(context, level, rows, options);
  }
  const filter = storageFilter(scan);
  const made =
    filter === undefined ? undefined : await storedGroups(context, level, filter, ownTexts(options));
  const follow = followEmbeds(context);
  if (made !== undefined) return orderedObjects(context, level, made, options, follow);
  const groups = groupsOfOwn(level, options);
  await eachRow(context, scan, (row) => {
    groups.add(row);
    if (groups.count > context.budget.rowsLeft) context.budget.refuseRows();
  });
  return orderedObjects(context, level, groups.cells(), options, follow);
}

/** The stored rows of the root that pass its filters: what PATCH and DELETE are about. */
export async function matchRows(context: ReadContext, level: Level): Promise<StoredRow[]> {
  const scan = await rootScan(context, level, { offset: 0, limit: undefined });
  if (level.limit === undefined && level.offset === 0) {
    return scanRows(context, { ...scan, order: [], fields: undefined });
  }
  return rootRows(context, level, { ...scan, fields: undefined });
}

/** The rows of a write through `select`, in the order of the request. */
export async function representRows(
  context: ReadContext,
  level: Level,
  rows: readonly StoredRow[],
  options: RenderOptions,
): Promise<string[]> {
  const conditions = await lookUpRelated(context, {
    ...level,
    conditions: level.conditions.filter(isEmbedded),
  });
  const scan: Scan = {
    source: { ...level.source, rows },
    conditions,
    order: [],
    skip: 0,
    limit: undefined,
    fields: undefined,
    computed: ownComputed(level),
  };
  const shown = await scanRows(context, scan);
  const ordered =
    level.order.length === 0 ? shown : await orderRows(context.budget, level, shown, followEmbeds(context));
  const texts = await renderObjects(context, level, ordered, options);
  spend(context, texts);
  return texts;
}

function isEmbedded(condition: Level['conditions'][number]): boolean {
  return condition.kind === 'related';
}

async function rootScan(context: ReadContext, level: Level, window: Window): Promise<Scan> {
  return windowScan(level, window, await lookUpRelated(context, level));
}

function windowScan(level: Level, window: Window, conditions: readonly Condition[]): Scan {
  const limits = [level.limit, window.limit].filter((limit) => limit !== undefined);
  return {
    source: level.source,
    conditions,
    order: level.order,
    skip: level.offset + window.offset,
    limit: limits.length === 0 ? undefined : Math.min(...limits),
    fields: rootFields(level),
    computed: ownComputed(level),
  };
}

async function rootRows(context: ReadContext, level: Level, scan: Scan): Promise<StoredRow[]> {
  if (level.order.every(({ through }) => through.length === 0)) {
    return (await pageInKeyOrder(context, scan)) ?? scanRows(context, scan);
  }
  const along = await rowsAlongEmbed(context, level, scan);
  if (along !== undefined) return along;
  const all = await scanRows(context, { ...scan, order: [], skip: 0, limit: undefined });
  const end = scan.limit === undefined ? undefined : scan.skip + scan.limit;
  const ordered = await orderRows(context.budget, level, all, followEmbeds(context), end);
  return ordered.slice(scan.skip, end);
}

async function* render(
  context: ReadContext,
  level: Level,
  batches: Iterable<readonly StoredRow[]> | AsyncIterable<readonly StoredRow[]>,
  options: RenderOptions,
): AsyncGenerator<readonly string[]> {
  for await (const rows of batches) {
    const texts = await renderObjects(context, level, rows, options);
    spend(context, texts);
    yield texts;
  }
}

function spend({ budget }: ReadContext, texts: readonly string[]): void {
  for (const text of texts) budget.spendCharacters(text.length);
}

function* batchesOf(rows: readonly StoredRow[]): Generator<readonly StoredRow[]> {
  for (let at = 0; at < rows.length; at += BATCH) yield rows.slice(at, at + BATCH);
}

/** At most `count` rows, in batches: rows that came after they were counted are not promised any more. */
async function* gather(rows: AsyncIterable<StoredRow>, count: number): AsyncGenerator<readonly StoredRow[]> {
  let batch: StoredRow[] = [];
  let taken = 0;
  if (count === 0) return;
  for await (const row of rows) {
    batch.push(row);
    taken += 1;
    if (batch.length === BATCH || taken === count) {
      yield batch;
      batch = [];
    }
    if (taken === count) return;
  }
  if (batch.length > 0) yield batch;
}

async function* once(texts: readonly string[]): AsyncGenerator<readonly string[]> {
  yield await Promise.resolve(texts);
}
