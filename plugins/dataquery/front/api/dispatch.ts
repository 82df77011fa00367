/** Routes a request to a part of the API. */
import { errors } from '../../engine/base/errors.js';
import type { Answer, ApiRequest, Incoming } from '../http/exchange.js';
import { parsePreferences } from '../http/preferences.js';
import { chooseProfile } from '../http/profile.js';
import { allowedMethods } from '../../engine/write/target.js';
import { callRequest } from './call.js';
import { inPreferredZone, type ApiContext } from './context.js';
import { describe } from './describe.js';
import { readRelation } from './read-relation.js';
import { findRelation } from './relation-lookup.js';
import { writeRelation } from './write-relation.js';

/** GET and HEAD. */
export function answerRead(whole: ApiContext, incoming: Incoming): Promise<Answer> {
  const request = apiRequest(incoming);
  const { segments } = request;
  const context = inPreferredZone(whole, request.preferences);
  if (segments.length === 0) return Promise.resolve(describe(context, request));
  if (segments[0] === 'rpc' && segments.length === 2) return callRequest(context, request);
  checkDepth(segments);
  return readRelation(context, request);
}

function apiRequest(incoming: Incoming): ApiRequest {
  return { ...incoming, preferences: parsePreferences(incoming.header('prefer')) };
}

/** POST, PATCH, PUT and DELETE. */
export function answerWrite(whole: ApiContext, incoming: Incoming): Promise<Answer> {
  const request = apiRequest(incoming);
  const { segments, method } = request;
  const context = inPreferredZone(whole, request.preferences);
  if (segments[0] === 'rpc' && segments.length === 2) {
    if (method !== 'POST') throw errors.SVC101({ values: { method } });
    return callRequest(context, request);
  }
  if (segments.length === 0) throw errors.SVC117({ values: { method } });
  checkDepth(segments);
  return writeRelation(context, request);
}

export function answerOptions(context: ApiContext, { segments, header }: Incoming): Answer {
  return { status: 200, headers: { allow: allowOf(context, segments, header('accept-profile')) } };
}

function allowOf({ state }: ApiContext, segments: readonly string[], profile: string | undefined): string {
  if (segments.length === 0) return 'OPTIONS,GET,HEAD';
  if (segments[0] === 'rpc' && segments.length === 2) return 'OPTIONS,GET,HEAD,POST';
  checkDepth(segments);
  return allowedMethods(
    findRelation(state.catalog, chooseProfile(state.catalog, profile).schema, segments[0] ?? ''),
  );
}

function checkDepth(segments: readonly string[]): void {
  if (segments.length !== 1) throw errors.SVC125();
}
