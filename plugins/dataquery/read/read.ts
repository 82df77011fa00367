/** Runs a plan: the rows of the root within a window, and everything embedded in them, as JSON text. */
import type { Level } from '../plan/level.js';
import type { StoredRow } from '../values/stored.js';
import type { ReadContext } from './context.js';
import { fieldsRead, ownComputed } from './fields.js';
import { orderRows } from './order.js';
import { lookUpRelated } from './related.js';
import { renderObjects, type RenderOptions } from './render.js';
import { countRows, scanRows, type Scan } from './scan.js';

/** Rows that are joined, rendered and sent on together. */
const BATCH = 1_000;

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

export async function readRows(
  context: ReadContext,
  level: Level,
  options: ReadOptions,
): Promise<ReadResult> {
  const scan = await rootScan(context, level, options.window);
  const [rows, total] = await Promise.all([
    rootRows(context, level, scan),
    options.count && !level.grouped ? countRows(context, scan) : undefined,
  ]);
  if (level.grouped) {
    const texts = await renderObjects(context, level, rows, options);
    return {
      returned: texts.length,
      offset: scan.skip,
      total: options.count ? texts.length : undefined,
      batches: once(texts),
    };
  }
  return { returned: rows.length, offset: scan.skip, total, batches: batches(context, level, rows, options) };
}

/** The stored rows of the root that pass its filters: what PATCH and DELETE are about. */
export async function matchRows(context: ReadContext, level: Level): Promise<StoredRow[]> {
  const scan = await rootScan(context, level, { offset: 0, limit: undefined });
  return scanRows(context, { ...scan, order: [], skip: 0, limit: undefined, fields: undefined });
}

/** Rows that a write has at hand, through `select`; ordered as the request asks. */
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
  const ordered = level.order.length === 0 ? shown : await orderRows(context, level, shown);
  return renderObjects(context, level, ordered, options);
}

function isEmbedded(condition: Level['conditions'][number]): boolean {
  return condition.kind === 'related';
}

async function rootScan(context: ReadContext, level: Level, window: Window): Promise<Scan> {
  const limits = [level.limit, window.limit].filter((limit) => limit !== undefined);
  return {
    source: level.source,
    conditions: await lookUpRelated(context, level),
    order: level.order,
    skip: level.offset + window.offset,
    limit: limits.length === 0 ? undefined : Math.min(...limits),
    fields: fieldsRead(level, []),
    computed: ownComputed(level),
  };
}

async function rootRows(context: ReadContext, level: Level, scan: Scan): Promise<StoredRow[]> {
  if (level.order.every(({ through }) => through.length === 0)) return scanRows(context, scan);
  const all = await scanRows(context, { ...scan, order: [], skip: 0, limit: undefined });
  const ordered = await orderRows(context, level, all);
  return ordered.slice(scan.skip, scan.limit === undefined ? undefined : scan.skip + scan.limit);
}

async function* batches(
  context: ReadContext,
  level: Level,
  rows: readonly StoredRow[],
  options: RenderOptions,
): AsyncGenerator<readonly string[]> {
  for (let at = 0; at < rows.length; at += BATCH) {
    yield await renderObjects(context, level, rows.slice(at, at + BATCH), options);
  }
}

async function* once(texts: readonly string[]): AsyncGenerator<readonly string[]> {
  yield await Promise.resolve(texts);
}
