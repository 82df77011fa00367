/**
 * The four verbs. Each is prepared outside of the transaction, where bodies are read, values checked and identities
 * reserved, and returns what to do inside of it (perhaps more than once).
 */
import type { Column } from '../catalog/model.js';
import type { Level } from '../plan/level.js';
import { planRead } from '../plan/plan.js';
import { ALL_RIGHTS, type Step } from '../plan/rights.js';
import { sourceOf, wholeSource } from '../plan/source.js';
import type { Query } from '../query/query.js';
import type { ReadContext } from '../read/context.js';
import { matchRows, representRows } from '../read/read.js';
import type { Stored, StoredRow } from '../values/stored.js';
import { conflictOf, putKey, rowsOfKey } from './conflict.js';
import { newValues, writeColumns, type WriteColumns } from './draft.js';
import { guardOf } from './guard.js';
import { reserveIdentities } from './identity.js';
import {
  deleteRows,
  insertRows,
  updateRows,
  upsertRows,
  type Conflict,
  type TableWrite,
} from './mutations.js';
import { newRows } from './new-rows.js';
import { bodyKeys, rowTree, type RowTree } from './related-rows.js';
import type { WriteContext, WriteRequest, Written } from './request.js';
import { storeTree } from './store-tree.js';
import type { Row, RowsBody } from './rows.js';
import type { WriteTarget } from './target.js';

export type Change = (writing: TableWrite, reading: ReadContext) => Promise<Written>;

export function planChange(
  context: WriteContext,
  request: WriteRequest,
  target: WriteTarget,
): Promise<Change> {
  switch (request.verb) {
    case 'insert':
      return insertion(context, request, target);
    case 'put':
      return putting(context, request, target);
    case 'update':
      return updating(context, request, target);
    case 'delete':
      return Promise.resolve(deletion(context, request, target));
  }
}

async function insertion(context: WriteContext, request: WriteRequest, target: WriteTarget): Promise<Change> {
  const show = representation(context, request);
  const body = await request.body();
  const names = [...new Set(request.query.columns ?? body.keys)];
  const { columns, related } = bodyKeys(context, target, names, request.missingDefault);
  const { resolution } = request;
  target.assert('insert', namesOf(columns));
  assertPolicies(target, request);
  if (related.length > 0) {
    const tree = await rowTree(context, { target, rows: body.rows, columns, related });
    return insertTree(context, request, tree, show);
  }
  const conflict =
    resolution === undefined
      ? undefined
      : conflictOf(target, request.query.onConflict, resolution, () =>
          columns.given.map(({ column }) => column),
        );
  if (conflict !== undefined) assertUpsert(target, conflict, columns);
  return store(context, target, body.rows, columns, conflict, show);
}

async function putting(context: WriteContext, request: WriteRequest, target: WriteTarget): Promise<Change> {
  const key = putKey(target, request.query);
  const show = representation(context, request);
  const body = await request.body();
  const columns = bodyColumns(request, target, body);
  const row = rowsOfKey(body.rows, key);
  const conflict: Conflict = {
    columns: key.map(({ column }) => column),
    resolution: 'merge-duplicates',
    assigned: () => columns.given.map(({ column }) => column),
  };
  target.assert('insert', namesOf(columns));
  assertUpsert(target, conflict, columns);
  assertPolicies(target, request);
  return store(context, target, [row], columns, conflict, show);
}

/** As PostgreSQL: the target of a conflict is read, and a merge reads and updates the columns it sets. Throws 42501. */
function assertUpsert(target: WriteTarget, conflict: Conflict, columns: WriteColumns): void {
  const met = conflict.columns.flatMap((column) => target.nameOf(column) ?? []);
  target.assert('select', met);
  if (conflict.resolution !== 'merge-duplicates') return;
  target.assert('select', namesOf(columns));
  target.assert('update', namesOf(columns));
}

/** As PostgreSQL: the rights that policies need are checked before the first row. Throws 42501. */
function assertPolicies({ rights, table }: WriteTarget, request: WriteRequest): void {
  for (const step of stepsOf(request)) rights.rules(table, step, reads(request));
}

function stepsOf({ verb, resolution }: WriteRequest): readonly Step[] {
  if (verb === 'update') return ['update'];
  return verb === 'put' || resolution === 'merge-duplicates' ? ['insert', 'conflict', 'update'] : ['insert'];
}

function namesOf(columns: WriteColumns): string[] {
  return columns.given.map(({ name }) => name);
}

/** Inserts rows of a body; with a conflict target only those that do not exist yet. */
async function store(
  context: WriteContext,
  target: WriteTarget,
  rows: readonly Row[],
  columns: WriteColumns,
  conflict: Conflict | undefined,
  show: Representation,
): Promise<Change> {
  const drafts = await newRows(context, target, rows, columns);
  return async (writing, reading) => {
    const { rows: stored, inserted } =
      conflict === undefined
        ? { rows: await insertRows(writing, drafts), inserted: drafts.length }
        : await upsertRows(writing, drafts, conflict);
    return { affected: stored.length, inserted, stored, ...(await show(reading, stored)) };
  };
}

/** Inserts rows with their related rows; an upsert inserts only those that do not exist yet. */
function insertTree(
  { state }: WriteContext,
  { resolution, query, represents, locates }: WriteRequest,
  tree: RowTree,
  show: Representation,
): Change {
  const { onConflict } = query;
  if (resolution !== undefined) assertTree(tree, resolution, onConflict);
  const upsert = resolution && { resolution, onConflict, mayRepeat: false };
  return async ({ collection, references, budget, tell }, reading) => {
    const guardFor = (target: WriteTarget, reads: boolean) =>
      guardOf(reading, target.rights, target.table, reads);
    const write = { collection, references, budget, tell, checks: state.checks, guardFor };
    const { rows, inserted } = await storeTree(write, tree, upsert, represents || locates);
    return { affected: rows.length, inserted, stored: rows, ...(await show(reading, rows)) };
  };
}

/** Throws 42P10 and 42501, also for rows inside of rows. */
function assertTree(
  { target, rows, given, referredTo, referring, linked }: RowTree,
  resolution: Conflict['resolution'],
  onConflict: readonly string[] | undefined,
): void {
  const conflict = conflictOf(target, onConflict, resolution, given);
  const columns = new Set(rows.flatMap((_, at) => given(at)));
  const named = [...columns].flatMap((column) => {
    const name = target.nameOf(column);
    return name === undefined ? [] : [{ name, column }];
  });
  if (conflict !== undefined) assertUpsert(target, conflict, { given: named, missingDefault: true });
  for (const { tree } of [...referredTo, ...referring, ...linked]) assertTree(tree, resolution, undefined);
  for (const { links } of linked) assertTree(links, 'ignore-duplicates', undefined);
}

async function updating(context: WriteContext, request: WriteRequest, target: WriteTarget): Promise<Change> {
  const match = matching(context, request, 'update');
  const show = representation(context, request);
  const body = await request.body();
  const columns = bodyColumns(request, target, body);
  target.assert('update', namesOf(columns));
  assertPolicies(target, request);
  const [row] = body.rows;
  const next = new Map<Column, () => Stored>();
  for (const { column } of columns.given) {
    if (column.default?.kind === 'identity' && columns.missingDefault) {
      next.set(column, await reserveIdentities(context.store, target.table, column, 1));
    }
  }
  const identity = (column: Column): Stored => next.get(column)?.() ?? 0;
  const values = row === undefined ? new Map() : newValues(columns, row, { clock: context.clock, identity });
  return async (writing, reading) => {
    // Nothing to assign changes nothing, as `UPDATE` without a `SET` would.
    const found = values.size === 0 ? [] : await matchRows(reading, match);
    const stored = await updateRows(writing, found, values);
    return { affected: stored.length, inserted: 0, stored, ...(await show(reading, stored)) };
  };
}

function deletion(context: WriteContext, request: WriteRequest, target: WriteTarget): Change {
  target.assert('delete');
  const match = matching(context, request, 'delete');
  const show = representation(context, request);
  return async (writing, reading) => {
    const found = await matchRows(reading, match);
    // The response shows related rows that a cascade is about to delete.
    const shown = await show(reading, found);
    await deleteRows(writing, found);
    return { affected: found.length, inserted: 0, stored: found, ...shown };
  };
}

/**
 * The rows of a write: those that a GET with the same filters and inner embeds would find, and that the caller may
 * write. Without a filter and without returned rows it reads none, as in PostgreSQL.
 */
function matching(
  { state, limits }: WriteContext,
  request: WriteRequest,
  command: 'update' | 'delete',
): Level {
  const { relation, query } = request;
  const source = sourceOf(state.cache, relation, reads(request) ? ['select', command] : [command]);
  const select = query.select.filter(({ kind }) => kind === 'embed');
  return planRead(state.cache, { ...limits, maxRows: undefined }, relation, { ...query, select }, source);
}

/** Whether the caller learns anything about the rows. */
export function reads({ verb, query, represents, locates, resolution }: WriteRequest): boolean {
  if (represents || locates || verb === 'put') return true;
  if (verb === 'insert') return resolution !== undefined;
  const { conditions, order, limits, offsets, select } = query;
  const asked = [conditions, order, limits, offsets].some((list) => list.length > 0);
  return asked || select.some(({ kind }) => kind === 'embed');
}

type Representation = (
  reading: ReadContext,
  rows: readonly StoredRow[],
) => Promise<Pick<Written, 'rows' | 'output'>>;

/** Always planned: a wrong `select` refuses the write, whether or not the rows are returned. */
function representation(
  { state, limits }: WriteContext,
  { relation, query, represents, stripNulls }: WriteRequest,
): Representation {
  const own = withoutWindow(query);
  const conditions = own.conditions.filter(({ path }) => path.length > 0);
  // What is not shown needs no rights. What is was checked when it was stored.
  const cache = represents ? state.cache : { ...state.cache, rights: ALL_RIGHTS };
  const { unread } = sourceOf(cache, relation);
  const source = { ...wholeSource(state.catalog, relation), unread, conditions: [] };
  const level = planRead(cache, { ...limits, maxRows: undefined }, relation, { ...own, conditions }, source);
  return async (reading, rows) => {
    if (!represents) return { rows: [], output: level.output };
    return { rows: await representRows(reading, level, rows, { stripNulls }), output: level.output };
  };
}

/** Limits and offsets bound what a write changes, and not what it shows of that. */
function withoutWindow(query: Query): Query {
  return { ...query, limits: [], offsets: [] };
}

function bodyColumns(
  { query, missingDefault }: WriteRequest,
  target: WriteTarget,
  body: RowsBody,
): WriteColumns {
  return writeColumns(target, query.columns, body.keys, missingDefault);
}
