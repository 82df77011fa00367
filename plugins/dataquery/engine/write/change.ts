/**
 * The four verbs. Each is prepared outside of the transaction, where bodies are read, values checked and identities
 * reserved, and answers what is to be done inside of it (perhaps more than once).
 */
import type { Column } from '../catalog/model.js';
import type { Level } from '../plan/level.js';
import { planRead } from '../plan/plan.js';
import type { Query } from '../query/query.js';
import type { ReadContext } from '../read/context.js';
import { matchRows, representRows } from '../read/read.js';
import type { Stored, StoredRow } from '../values/stored.js';
import { conflictOf, putKey, rowsOfKey } from './conflict.js';
import { newValues, writeColumns, type WriteColumns } from './draft.js';
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
      return Promise.resolve(deletion(context, request));
  }
}

async function insertion(context: WriteContext, request: WriteRequest, target: WriteTarget): Promise<Change> {
  const show = representation(context, request);
  const body = await request.body();
  const names = [...new Set(request.query.columns ?? body.keys)];
  const { columns, related } = bodyKeys(context, target, names, request.missingDefault);
  const { resolution } = request;
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
  return store(context, target, [row], columns, conflict, show);
}

/** Inserts rows of a body, with a conflict target those that are not there yet. */
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

/** Inserts rows with those that are related to them; an upsert, those of them that are not there yet. */
function insertTree(
  { state }: WriteContext,
  { resolution, query }: WriteRequest,
  tree: RowTree,
  show: Representation,
): Change {
  const { onConflict } = query;
  if (resolution !== undefined) conflictOf(tree.target, onConflict, resolution, tree.given);
  const upsert = resolution && { resolution, onConflict, mayRepeat: false };
  return async ({ collection, references, budget, tell }, reading) => {
    const write = { collection, references, budget, tell, checks: state.checks };
    const { rows, inserted } = await storeTree(write, tree, upsert);
    return { affected: rows.length, inserted, stored: rows, ...(await show(reading, rows)) };
  };
}

async function updating(context: WriteContext, request: WriteRequest, target: WriteTarget): Promise<Change> {
  const match = matching(context, request);
  const show = representation(context, request);
  const body = await request.body();
  const columns = bodyColumns(request, target, body);
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
    // Nothing to assign touches nothing, as `UPDATE` without a `SET` would.
    const found = values.size === 0 ? [] : await matchRows(reading, match);
    const stored = await updateRows(writing, found, values);
    return { affected: stored.length, inserted: 0, stored, ...(await show(reading, stored)) };
  };
}

function deletion(context: WriteContext, request: WriteRequest): Change {
  const match = matching(context, request);
  const show = representation(context, request);
  return async (writing, reading) => {
    const found = await matchRows(reading, match);
    // The answer shows what went with it, which a cascade is about to take away.
    const shown = await show(reading, found);
    await deleteRows(writing, found);
    return { affected: found.length, inserted: 0, stored: found, ...shown };
  };
}

/** The rows that a write is about: those that a GET with the same filters and inner embeds would find. */
function matching({ state, limits }: WriteContext, { relation, query }: WriteRequest): Level {
  return planRead(state.cache, { ...limits, maxRows: undefined }, relation, query);
}

type Representation = (
  reading: ReadContext,
  rows: readonly StoredRow[],
) => Promise<Pick<Written, 'rows' | 'output'>>;

/** Planned in any case: a wrong `select` refuses the write, whether or not the rows are sent back. */
function representation(
  { state, limits }: WriteContext,
  { relation, query, represents, stripNulls }: WriteRequest,
): Representation {
  const own = withoutWindow(query);
  const conditions = own.conditions.filter(({ path }) => path.length > 0);
  const level = planRead(state.cache, { ...limits, maxRows: undefined }, relation, { ...own, conditions });
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
