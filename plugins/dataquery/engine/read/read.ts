/** Runs a plan: the root's rows within a window, with everything embedded in them, as JSON text. */
import type { Level } from '../plan/level.js';
import type { StoredRow } from '../values/stored.js';
import {
  isGroupAccess,
  type Access,
  type Decision,
  type GroupAccess,
  type RowAccess,
} from './access/access.js';
import type { Reading } from './access/decide.js';
import type { RenderOptions } from './cell-text.js';
import type { ReadContext } from './context.js';
import { ownComputed, rootFields } from './fields.js';
import { groupTexts } from './run/groups.js';
import { ownConditions } from './run/lookup.js';
import { probedRows } from './run/probe.js';
import { renderObjects } from './run/render.js';
import { rowsOf } from './run/rows.js';
import { decided } from './run/sample.js';
import { countRows, rowStream, scanRows, type Scan } from './scan.js';

/** Rows that are joined, rendered and sent together. */
const BATCH = 1_000;
/** Up to this many rows are held; the rest is streamed. */
const MOST_HELD = 10_000;

export interface Window {
  /** Added to the plan's own offset and limit, for a `Range` header. */
  readonly offset: number;
  readonly limit: number | undefined;
}

export interface ReadOptions extends RenderOptions {
  readonly window: Window;
  /** Whether to count the rows that pass the filters, whatever the window. */
  readonly count: boolean;
}

export interface ReadResult {
  /** How the rows are found. */
  readonly decision: Decision;
  /** How many rows are returned. */
  readonly returned: number;
  /** The position of the first of them. */
  readonly offset: number;
  /** How many rows there are in all; undefined if not asked for. */
  readonly total: number | undefined;
  /** JSON texts of the rows, in batches. */
  readonly batches: AsyncIterable<readonly string[]>;
}

export async function readRows(asked: ReadContext, level: Level, options: ReadOptions): Promise<ReadResult> {
  const reading = { ...windowOf(level, options.window), level, count: options.count, atOnce: false };
  const decision = await decided(asked, reading);
  const { root, lookups } = decision;
  return { ...(await run({ ...asked, lookups }, reading, root, options)), decision };
}

type Result = Omit<ReadResult, 'decision'>;

async function run(
  context: ReadContext,
  reading: Reading,
  access: Access,
  options: ReadOptions,
): Promise<Result> {
  const { level } = reading;
  if (access.kind === 'probe') {
    const scan = scanOf(reading);
    const rows = await probedRows(context, access, scan);
    if (rows === undefined) return run(context, reading, access.otherwise, options);
    return result(rows.length, scan, undefined, render(context, level, batchesOf(rows), options));
  }
  const scan = { ...scanOf(reading), conditions: await ownConditions(context, level, access.lookup) };
  if (isGroupAccess(access)) return readGroups(context, level, access, scan, options);
  const read = access.kind === 'stream' ? readLong : readAtOnce;
  return read(context, level, access, scan, options);
}

/** The window at once: its rows are few, or have to be held. */
async function readAtOnce(
  context: ReadContext,
  level: Level,
  access: RowAccess,
  scan: Scan,
  options: ReadOptions,
): Promise<Result> {
  const counted = options.count && scan.limit !== undefined ? countRows(context, scan) : undefined;
  const [rows, total] = await Promise.all([rowsOf(context, level, access, scan), counted]);
  const all = total ?? (options.count ? await totalOf(context, scan, rows.length) : undefined);
  return result(rows.length, scan, all, render(context, level, batchesOf(rows), options));
}

/**
 * An unknown number of rows: if they are too many to hold they are counted first, because the headers carry the count.
 */
async function readLong(
  context: ReadContext,
  level: Level,
  access: RowAccess,
  scan: Scan,
  options: ReadOptions,
): Promise<Result> {
  const open = rowStream(context, scan);
  // A lookup may find too many keys to send.
  if (open === undefined) return readAtOnce(context, level, access, scan, options);
  const head = await scanRows(context, { ...scan, limit: MOST_HELD + 1 });
  if (head.length <= MOST_HELD) {
    const total = options.count ? await totalOf(context, scan, head.length) : undefined;
    return result(head.length, scan, total, render(context, level, batchesOf(head), options));
  }
  const total = await countRows(context, scan);
  const returned = Math.max(0, Math.min(total - scan.skip, scan.limit ?? Infinity));
  const batches = render(context, level, gather(open(), returned), options);
  return result(returned, scan, options.count ? total : undefined, batches);
}

/** How many rows pass, given the number from `skip` to the end. */
async function totalOf(context: ReadContext, scan: Scan, rows: number): Promise<number> {
  const isToTheEnd = scan.limit === undefined && (rows > 0 || scan.skip === 0);
  return isToTheEnd ? scan.skip + rows : countRows(context, scan);
}

function result(
  returned: number,
  scan: Scan,
  total: number | undefined,
  batches: ReadResult['batches'],
): Result {
  return { returned, offset: scan.skip, total, batches };
}

/** The window is one of groups. */
async function readGroups(
  context: ReadContext,
  level: Level,
  access: GroupAccess,
  scan: Scan,
  options: ReadOptions,
): Promise<Result> {
  const groups = await groupTexts(context, level, access, scan, options);
  const texts = groups.slice(scan.skip, scan.limit === undefined ? undefined : scan.skip + scan.limit);
  spend(context, texts);
  return result(texts.length, scan, options.count ? groups.length : undefined, once(texts));
}

/** The stored rows of the root that pass its filters, for PATCH and DELETE. */
export async function matchRows(context: ReadContext, plan: Level): Promise<StoredRow[]> {
  const isWhole = plan.limit === undefined && plan.offset === 0;
  const { rows } = await heldRows(context, isWhole ? { ...plan, order: [] } : plan);
  return rows;
}

/** The rows of a write through `select`, in the order of the request. */
export async function representRows(
  asked: ReadContext,
  plan: Level,
  written: readonly StoredRow[],
  options: RenderOptions,
): Promise<string[]> {
  const conditions = plan.conditions.filter((condition) => condition.kind === 'related');
  const source = { ...plan.source, rows: written };
  const { context, rows } = await heldRows(asked, { ...plan, source, conditions });
  const texts = await renderObjects(context, plan, rows, options);
  spend(context, texts);
  return texts;
}

/** The rows of a level with all their members. */
async function heldRows(
  asked: ReadContext,
  plan: Level,
): Promise<{ readonly context: ReadContext; readonly rows: StoredRow[] }> {
  const level = { ...plan, grouped: false };
  const reading = { ...windowOf(level), level, count: false, atOnce: true };
  const { root, lookups } = await decided(asked, reading);
  const context = { ...asked, lookups };
  const scan: Scan = { ...scanOf(reading), fields: undefined };
  const found = async (access: Access): Promise<StoredRow[]> => {
    if (access.kind === 'probe') return (await probedRows(context, access, scan)) ?? found(access.otherwise);
    if (isGroupAccess(access)) throw new TypeError('a write is about rows, not groups');
    const conditions = await ownConditions(context, level, access.lookup);
    return rowsOf(context, level, access, { ...scan, conditions });
  };
  return { context, rows: await found(root) };
}

function windowOf(level: Level, window?: Window): Pick<Reading, 'skip' | 'limit'> {
  const limits = [level.limit, window?.limit].filter((limit) => limit !== undefined);
  return {
    skip: level.offset + (window?.offset ?? 0),
    limit: limits.length === 0 ? undefined : Math.min(...limits),
  };
}

/** The conditions are the level's, some replaced by lookups. */
function scanOf({ level, skip, limit }: Reading): Scan {
  const { source, conditions, order } = level;
  return { source, conditions, order, skip, limit, fields: rootFields(level), computed: ownComputed(level) };
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

/** At most `count` rows, in batches: rows added after the count are not included. */
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
