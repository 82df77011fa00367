/**
 * A write from request to response: reads the body, then in one transaction finds the rows, changes them, and makes
 * their representation. If it is refused, nothing is stored.
 */
import { isServiceError, isStorageError, ServiceError } from 'plugboard/sdk';
import { errors } from '../base/errors.js';
import { ALL_RIGHTS } from '../plan/rights.js';
import type { ReadContext } from '../read/context.js';
import { planChange, reads, type Change } from './change.js';
import { guardOf } from './guard.js';
import type { TellRows } from './metered.js';
import { DuplicateRows, type TableWrite } from './mutations.js';
import type { WriteContext, WriteRequest, Written } from './request.js';
import { tellRows } from './told.js';
import { writeTarget, type WriteTarget } from './target.js';
import { findDuplicate } from './unique.js';

export async function write(context: WriteContext, request: WriteRequest): Promise<Written> {
  try {
    return await written(context, request);
  } catch (error) {
    throw withoutValues(context, error);
  }
}

/** Constraints see all rows, so only some callers get their details. */
function withoutValues({ state }: WriteContext, error: unknown): unknown {
  const hides = state.cache.rights !== ALL_RIGHTS && isServiceError(error) && error.code.startsWith('23');
  if (!hides) return error;
  const { code, status, message, headers } = error;
  return new ServiceError(code, { status, message, headers, details: null });
}

async function written(context: WriteContext, request: WriteRequest): Promise<Written> {
  const { store } = context;
  const target = writeTarget(context.state.cache, request.relation);
  const change = await planChange(context, request, target);
  try {
    return await store.transaction(async (collection, tx) => {
      const tally = store.sizes.tally(tx);
      const tellOthers = tellRows(context, tx, request.erases);
      const tell: TellRows = (table, rows) => {
        tally?.note(table, rows);
        return tellOthers(table, rows);
      };
      const done = await run(context, request, target, change, { collection, tell });
      await tally?.settle();
      if (request.rollback) throw new RolledBack(done);
      await request.alongside?.(tx);
      return done;
    });
  } catch (error) {
    if (error instanceof RolledBack) return error.written;
    if (error instanceof DuplicateRows) {
      throw await findDuplicate(store.collection(error.table), error.table, error.rows, context.budget);
    }
    if (isStorageError(error, 'write_conflict')) throw errors['40001']({ cause: error });
    if (isStorageError(error, 'unsupported')) {
      throw errors['0A000']({
        values: { feature: 'writing' },
        details:
          'Rows are written in transactions, and this MongoDB server is a standalone one, which has none.',
        hint: 'Run the server as a replica set (a single node will do), or use the embedded store.',
      });
    }
    throw error;
  }
}

/** Carries the response out of a rolled-back transaction. */
class RolledBack extends Error {
  readonly written: Written;
  constructor(written: Written) {
    super('rolled back');
    this.written = written;
  }
}

async function run(
  { state, limits, call, budget }: WriteContext,
  request: WriteRequest,
  { table, rights }: WriteTarget,
  change: Change,
  { collection, tell }: Pick<TableWrite, 'collection' | 'tell'>,
): Promise<Written> {
  const { maxAffected, single, verb } = request;
  const reading: ReadContext = { cache: state.cache, collection, call, limits, budget };
  const writing: TableWrite = {
    table,
    collection,
    references: state.references,
    checks: state.checks(table),
    guard: guardOf(reading, rights, table, reads(request)),
    budget,
    tell,
  };
  budget.beginWrites();
  const written = await change(writing, reading);
  if (single && written.affected !== 1) {
    throw errors.SVC116({ details: `The result contains ${written.affected} rows` });
  }
  if (maxAffected !== undefined && verb !== 'insert' && written.affected > maxAffected) {
    throw errors.SVC124({ details: `The query affects ${written.affected} rows` });
  }
  return written;
}
