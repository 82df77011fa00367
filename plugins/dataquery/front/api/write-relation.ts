/** POST, PATCH, PUT and DELETE of a relation. */
import type { Answer, ApiRequest } from '../http/exchange.js';
import { headersOf } from '../http/exchange.js';
import { rowLocation } from '../http/location.js';
import { negotiateRows, type Representation } from '../http/media-type.js';
import { preferenceApplied, type Applied, type Preferences } from '../http/preferences.js';
import { chooseProfile } from '../http/profile.js';
import { contentRange } from '../http/range.js';
import { exactlyOne, rowsBody, type RowStream } from '../http/rows-body.js';
import type { Relation } from '../../engine/catalog/model.js';
import { csvColumns } from '../http/csv-columns.js';
import { parseQuery } from '../../engine/query/parse.js';
import type { StoredRow } from '../../engine/values/stored.js';
import type { WriteRequest, Written } from '../../engine/write/request.js';
import { parseRows } from '../http/body.js';
import { write } from '../../engine/write/write.js';
import { mayChooseEnd, rollsBack, type ApiContext } from './context.js';
import { findRelation } from './relation-lookup.js';

type Verb = WriteRequest['verb'];

const VERBS: Readonly<Record<string, Verb>> = {
  POST: 'insert',
  PATCH: 'update',
  PUT: 'put',
  DELETE: 'delete',
};

/** The preferences that a verb honours, besides `tx`. */
const HONOURED: Readonly<Record<Verb, readonly Applied['name'][]>> = {
  insert: ['resolution', 'missing', 'return', 'count', 'handling', 'timezone'],
  update: ['missing', 'return', 'count', 'handling', 'timezone', 'max-affected'],
  put: ['return', 'count', 'handling', 'timezone'],
  delete: ['return', 'count', 'handling', 'timezone', 'max-affected'],
};

export async function writeRelation(context: ApiContext, request: ApiRequest): Promise<Answer> {
  const { method, header, segments, search, body, preferences } = request;
  const verb = VERBS[method] ?? 'insert';
  const profile = chooseProfile(context.state.catalog, header('content-profile'));
  const [name = ''] = segments;
  const relation = findRelation(context.state.catalog, profile.schema, name);
  const representation = negotiateRows(header('accept'));
  const query = parseQuery(search);
  const written = await write(context, {
    verb,
    relation,
    query,
    body: () => parseRows(context, body, header('content-type'), query.columns),
    missingDefault: preferences.missing === 'default',
    resolution: preferences.resolution,
    represents: preferences.returning === 'representation',
    locates: verb === 'insert' && preferences.returning === 'headers-only',
    maxAffected: preferences.maxAffected,
    single: representation.kind === 'object',
    stripNulls: representation.stripNulls,
    rollback: rollsBack(context, preferences),
  });
  const shows = preferences.returning === 'representation';
  const upserts = relation.primaryKey.length > 0 || query.onConflict !== undefined;
  return {
    status: statusOf(verb, written, preferences),
    headers: headersOf({
      'content-range': writtenRange(verb, written, preferences),
      'content-type': shows ? representation.contentType : undefined,
      'content-profile': profile.shown,
      location:
        verb === 'insert' && preferences.returning === 'headers-only'
          ? locationOf(relation, written)
          : undefined,
      'preference-applied': preferenceApplied(preferences, [
        ...HONOURED[verb].filter((preference) => preference !== 'resolution' || upserts),
        ...(mayChooseEnd(context) ? (['tx'] as const) : []),
      ]),
      vary: 'Accept, Prefer, Range',
    }),
    ...(shows ? { body: await writtenBody(context, representation, written) } : {}),
  };
}

function statusOf(
  verb: Verb,
  { affected, inserted }: Written,
  { returning, resolution }: Preferences,
): number {
  const shown = returning === 'representation';
  if (verb === 'insert') return resolution !== undefined && affected > 0 && inserted === 0 ? 200 : 201;
  if (verb === 'put' && inserted > 0) return 201;
  return shown ? 200 : 204;
}

/** An update says which rows it changed; the others only how many, if asked. */
function writtenRange(verb: Verb, { affected }: Written, { count }: Preferences): string {
  const total = count === undefined ? undefined : affected;
  return verb === 'update' ? contentRange(0, affected, total) : contentRange(0, 0, total);
}

/** The location of the single inserted row; undefined for several rows, and without a primary key. */
function locationOf(relation: Relation, { stored }: Written): string | undefined {
  const [row] = stored;
  if (row === undefined || stored.length > 1 || relation.primaryKey.length === 0) return undefined;
  return rowLocation(`/${encodeURIComponent(relation.name)}`, keyTexts(relation, row));
}

function keyTexts(relation: Relation, row: StoredRow): [string, string][] {
  return relation.primaryKey.flatMap((name): [string, string][] => {
    const column = relation.columns.get(name);
    const value = column === undefined ? null : (row[column.field] ?? null);
    return column === undefined || value === null ? [] : [[name, column.type.toText(value)]];
  });
}

async function writtenBody(
  { budget }: ApiContext,
  representation: Representation,
  { rows, output }: Written,
): Promise<string | RowStream> {
  if (representation.kind === 'object') {
    exactlyOne(rows.length);
    return rows.join('');
  }
  const columns = representation.kind === 'csv' ? csvColumns(output) : [];
  return rowsBody(representation, once(rows), columns, budget);
}

async function* once(rows: readonly string[]): AsyncGenerator<readonly string[]> {
  yield await Promise.resolve(rows);
}
