/** GET and HEAD of a relation, and of the rows that a function returns. */
import type { Answer, Incoming } from '../http/exchange.js';
import { headersOf } from '../http/exchange.js';
import { canonicalLocation } from '../http/location.js';
import { negotiateRows, type Representation } from '../http/media-type.js';
import { parsePreferences, preferenceApplied, type Preferences } from '../http/preferences.js';
import { chooseProfile } from '../http/profile.js';
import { contentRange, intersect, parseRange, rangeStatus, type RowRange } from '../http/range.js';
import { exactlyOne, rowsBody } from '../http/rows-body.js';
import { csvColumns } from '../plan/csv-columns.js';
import type { Level } from '../plan/level.js';
import { planRead } from '../plan/plan.js';
import { parseQuery } from '../query/parse.js';
import type { Query } from '../query/query.js';
import { readRows, type ReadResult } from '../read/read.js';
import { mayChooseEnd, readContext, type ApiContext } from './context.js';
import { findRelation } from './relation-lookup.js';

export async function readRelation(context: ApiContext, incoming: Incoming): Promise<Answer> {
  const { header, search, segments } = incoming;
  const profile = chooseProfile(context.state.catalog, header('accept-profile'));
  const [name = ''] = segments;
  const relation = findRelation(context.state.catalog, profile.schema, name);
  const query = parseQuery(search);
  const { window, rest } = takeWindow(incoming, query);
  const level = planRead(context.state.cache, context.limits, relation, rest);
  return readLevel(context, incoming, level, window, {
    'content-location': canonicalLocation(`/${encodeURIComponent(name)}`, search),
    'content-profile': profile.shown,
  });
}

/** The rows of a plan in the representation and the range that the client wants. */
export async function readLevel(
  context: ApiContext,
  incoming: Incoming,
  level: Level,
  window: RowRange,
  headers: Readonly<Record<string, string | undefined>>,
): Promise<Answer> {
  const preferences = parsePreferences(incoming.header('prefer'));
  const representation = negotiateRows(incoming.header('accept'));
  const result = await readRows(readContext(context), level, {
    window,
    count: preferences.count !== undefined,
    stripNulls: representation.stripNulls,
  });
  const status = rangeStatus(result.offset, result.returned, result.total);
  if (representation.kind === 'object') exactlyOne(result.returned);
  const body = incoming.method === 'HEAD' ? undefined : await levelBody(representation, result, level);
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

/** The bounds of `limit`, `offset` and, for GET, of the `Range` header; and the query without them. */
export function takeWindow(incoming: Incoming, query: Query): { window: RowRange; rest: Query } {
  const isRoot = ({ path }: { path: readonly string[] }): boolean => path.length === 0;
  const range =
    incoming.method === 'GET'
      ? parseRange(incoming.header('range'), incoming.header('range-unit'))
      : undefined;
  return {
    window: intersect(range, query.limits.findLast(isRoot)?.value, query.offsets.findLast(isRoot)?.value),
    rest: {
      ...query,
      limits: query.limits.filter((limit) => !isRoot(limit)),
      offsets: query.offsets.filter((offset) => !isRoot(offset)),
    },
  };
}

export function appliedToRead(context: ApiContext, preferences: Preferences): string | undefined {
  const tx = mayChooseEnd(context) ? (['tx'] as const) : [];
  return preferenceApplied(preferences, ['count', ...tx, 'handling', 'timezone']);
}

async function levelBody(
  representation: Representation,
  { batches }: ReadResult,
  { output }: Level,
): Promise<string | AsyncIterable<string>> {
  if (representation.kind !== 'object') {
    return rowsBody(representation, batches, representation.kind === 'csv' ? csvColumns(output) : []);
  }
  let row = '';
  for await (const batch of batches) row += batch.join('');
  return row;
}
