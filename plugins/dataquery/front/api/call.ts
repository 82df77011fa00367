/** `/rpc/{function}`: GET takes the arguments from the query string, POST from a JSON object. */
import { errors } from '../../engine/base/errors.js';
import { parseBody } from '../http/body.js';
import { headersOf, type Answer, type ApiRequest } from '../http/exchange.js';
import type { Preferences } from '../http/preferences.js';
import { negotiateRows } from '../http/media-type.js';
import { chooseProfile } from '../http/profile.js';
import { contentRange, rangeStatus, type RowRange } from '../http/range.js';
import { exactlyOne } from '../http/rows-body.js';
import type { Level } from '../../engine/plan/level.js';
import { parseQuery } from '../../engine/query/parse.js';
import { readRows } from '../../engine/read/read.js';
import type { GivenArguments } from '../../engine/rpc/arguments.js';
import { callFunction, type CallResult } from '../../engine/rpc/call.js';
import { readContext, type ApiContext } from './context.js';
import { appliedToRead, readLevel } from './read-relation.js';
import { requestedRange, rootWindow } from './window.js';

const JSON_TYPE = 'application/json; charset=utf-8';

export async function callRequest(context: ApiContext, request: ApiRequest): Promise<Answer> {
  const { method, header, segments, search, body, preferences } = request;
  const posted = method === 'POST';
  const profile = chooseProfile(context.state.catalog, header(posted ? 'content-profile' : 'accept-profile'));
  const query = parseQuery(search, { callArguments: !posted });
  const { window: asked, rest } = rootWindow(query);
  const window = requestedRange(request, asked);
  const given: GivenArguments = posted
    ? { from: 'body', values: await bodyArguments(context, body, header('content-type')) }
    : { from: 'query', values: new Map(query.callArguments) };
  const result = await callFunction(readContext(context), {
    schema: profile.schema,
    name: segments[1] ?? '',
    given,
    query: rest,
    readOnly: !posted,
  });
  const headers = {
    'content-profile': profile.shown,
    'preference-applied': appliedToRead(context, preferences),
  };
  if (result.kind !== 'rows' || result.single) refuseMaxAffected(preferences);
  switch (result.kind) {
    case 'void':
      return { status: 204, headers: headersOf(headers) };
    case 'scalars':
      return scalarAnswer(request, headers, result, window);
    case 'rows':
      if (result.single) return answered(request, headers, await singleResult(context, result.level));
      return minimal(posted, preferences, await readLevel(context, request, result.level, window, headers));
  }
}

/** A bare value, or a set of values as an array that may have a window. */
function scalarAnswer(
  request: ApiRequest,
  headers: Readonly<Record<string, string | undefined>>,
  { texts, set }: Extract<CallResult, { kind: 'scalars' }>,
  { offset, limit }: RowRange,
): Answer {
  const { kind } = negotiateRows(request.header('accept'));
  const shown = set ? texts.slice(offset, limit === undefined ? undefined : offset + limit) : texts;
  const { count } = request.preferences;
  const total = count === undefined ? undefined : texts.length;
  const status = set ? rangeStatus(offset, shown.length, total) : 200;
  const range = contentRange(set ? offset : 0, shown.length, total);
  if (kind === 'object' && set) exactlyOne(shown.length);
  if (kind === 'csv') throw errors.SVC107({ values: { types: request.header('accept') ?? '' } });
  const body = set && kind !== 'object' ? `[${shown.join(', ')}]` : shown.join('');
  return { ...answered(request, { ...headers, 'content-range': range }, body), status };
}

/** A function that returns one row, not a set, answers it bare, and null if there is none. */
async function singleResult(context: ApiContext, level: Level): Promise<string> {
  const { batches } = await readRows(readContext(context), level, {
    window: { offset: 0, limit: 1 },
    count: false,
    stripNulls: false,
  });
  for await (const [row] of batches) if (row !== undefined) return row;
  return 'null';
}

function answered(
  { method }: ApiRequest,
  headers: Readonly<Record<string, string | undefined>>,
  body: string,
): Answer {
  return {
    status: 200,
    headers: headersOf({ ...headers, 'content-type': JSON_TYPE }),
    ...(method === 'HEAD' ? {} : { body }),
  };
}

/** `return=minimal`: the count without the rows, for clients that POST because the arguments do not fit into a URL. */
function minimal(posted: boolean, { returning }: Preferences, answer: Answer): Answer {
  if (!posted || returning !== 'minimal') return answer;
  const { 'content-type': _, ...headers } = answer.headers;
  return { status: 204, headers };
}

/** Throws SVC102. A call without a body has no arguments. */
async function bodyArguments(
  context: ApiContext,
  body: string,
  contentType: string | undefined,
): Promise<Readonly<Record<string, unknown>>> {
  if (body.trim() === '') return {};
  const value = await parseBody(context, body, contentType);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Readonly<Record<string, unknown>>;
  }
  throw errors.SVC102({ message: 'The arguments of a function are a JSON object' });
}

function refuseMaxAffected({ maxAffected }: Preferences): void {
  if (maxAffected !== undefined) throw errors.SVC128();
}
