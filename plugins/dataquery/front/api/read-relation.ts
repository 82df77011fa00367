/** GET and HEAD of a relation, and of the rows that a function returns. */
import type { Answer, ApiRequest } from '../http/exchange.js';
import { headersOf } from '../http/exchange.js';
import { negotiateReading, type Representation } from '../http/media-type.js';
import { planJson, planText, type Executed } from '../http/plan-body.js';
import { preferenceApplied, type Preferences } from '../http/preferences.js';
import { chooseProfile } from '../http/profile.js';
import { contentRange, rangeStatus, type RowRange } from '../http/range.js';
import { exactlyOne, rowsBody, type RowStream } from '../http/rows-body.js';
import { csvColumns } from '../http/csv-columns.js';
import { errors } from '../../engine/base/errors.js';
import { seesAll } from '../../engine/schema/schema-state.js';
import type { Level } from '../../engine/plan/level.js';
import { describe } from '../../engine/read/access/describe.js';
import { readRows, type ReadResult } from '../../engine/read/read.js';
import { Recording } from '../../engine/read/recorded.js';
import { mayChooseEnd, readContext, type ApiContext } from './context.js';
import { keptAnswers } from './kept-answers.js';
import { findRelation } from './relation-lookup.js';
import { preparedReads } from './prepared-reads.js';
import { requestedRange } from './window.js';

export async function readRelation(context: ApiContext, request: ApiRequest): Promise<Answer> {
  const { header, search, segments } = request;
  const profile = chooseProfile(context.state.catalog, header('accept-profile'));
  const [name = ''] = segments;
  const relation = findRelation(context.state.catalog, profile.schema, name);
  const { level, window, location, momentary } = preparedReads(context.state.cache).prepare(
    context.limits,
    relation,
    search,
  );
  const read = (reading: ApiContext): Promise<Answer> =>
    readLevel(reading, request, level, requestedRange(request, window), {
      'content-location': location,
      'content-profile': profile.shown,
    });
  return momentary ? read(context) : keptAnswers(context.store).answer(context, request, read);
}

/** The rows of a plan in the requested representation and range. */
export async function readLevel(
  context: ApiContext,
  request: ApiRequest,
  level: Level,
  window: RowRange,
  headers: Readonly<Record<string, string | undefined>>,
): Promise<Answer> {
  const { preferences } = request;
  const representation = negotiateReading(request.header('accept'));
  if (representation.kind === 'plan-json' || representation.kind === 'plan-text') {
    // It counts rows that are read, even those that policies then hide.
    if (!seesAll(context.state))
      throw errors['42501']({ message: 'permission denied to see how rows are found' });
    const executed = await explained(context, level, window, preferences.count !== undefined);
    const body = representation.kind === 'plan-json' ? planJson(executed) : planText(executed);
    return {
      status: 200,
      headers: headersOf({
        ...headers,
        'content-type': representation.contentType,
        vary: 'Accept, Prefer, Range',
      }),
      ...(request.method === 'HEAD' ? {} : { body }),
    };
  }
  const result = await readRows(readContext(context), level, {
    window,
    count: preferences.count !== undefined,
    stripNulls: representation.stripNulls,
  });
  const status = rangeStatus(result.offset, result.returned, result.total);
  if (representation.kind === 'object') exactlyOne(result.returned);
  const body =
    request.method === 'HEAD' ? undefined : await levelBody(context, representation, result, level);
  return {
    status,
    headers: headersOf({
      ...headers,
      'content-type': representation.contentType,
      'content-range': contentRange(result.offset, result.returned, result.total),
      'preference-applied': appliedToRead(context, preferences),
      vary: 'Accept, Prefer, Range',
    }),
    ...(body === undefined ? {} : { body }),
  };
}

/** Runs the request and reports how: a plan that was not run would be a guess. */
async function explained(
  context: ApiContext,
  level: Level,
  window: RowRange,
  count: boolean,
): Promise<Executed> {
  const recording = new Recording(readContext(context));
  const began = performance.now();
  const result = await readRows(recording.context, level, { window, count, stripNulls: false });
  for await (const _ of result.batches);
  return {
    access: describe(result.decision, level),
    calls: recording.calls,
    rows: result.returned,
    milliseconds: performance.now() - began,
  };
}

export function appliedToRead(context: ApiContext, preferences: Preferences): string | undefined {
  const tx = mayChooseEnd(context) ? (['tx'] as const) : [];
  return preferenceApplied(preferences, ['count', ...tx, 'handling', 'timezone']);
}

async function levelBody(
  { budget }: ApiContext,
  representation: Representation,
  { batches }: ReadResult,
  { output }: Level,
): Promise<string | RowStream> {
  if (representation.kind !== 'object') {
    const columns = representation.kind === 'csv' ? csvColumns(output) : [];
    return rowsBody(representation, batches, columns, budget);
  }
  let row = '';
  for await (const batch of batches) row += batch.join('');
  return row;
}
