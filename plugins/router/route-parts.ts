/** What the routes are made of, and what they have in common. */
import {
  goneSignal,
  principalId,
  type Auth,
  type Clock,
  type Principal,
  type RateLimitCategory,
  type Reply,
  type Request,
  type ServiceError,
} from 'plugboard/sdk';
import type { OpenAllowances } from './allowances/open.js';
import type { AllowanceRule } from './allowances/schema.js';
import type { Answer, StreamAnswer } from './call/answers.js';
import { traceOf } from './call/passed-headers.js';
import type { ClientCall } from './conversations.js';
import { EVENT_STREAM } from './dialects/dialect.js';
import type { Estimator } from './estimate/estimator.js';
import type { Fleet } from './fleet/fleet.js';
import type { StoredUpstreams } from './fleet/stored-upstreams.js';
import type { ModelDiscovery } from './models-list.js';
import type { Prices } from './money/prices.js';
import type { Router } from './service.js';
import type { RecordedTexts } from './texts/recorded-texts.js';
import type { UsageLedger } from './usage/ledger.js';
import type { UsageStore } from './usage/store.js';

export interface RouteParts {
  readonly auth: Auth;
  /** Bounds the calls of models; undefined when no plugin limits requests. */
  readonly limit: RateLimitCategory | undefined;
  readonly clock: Clock;
  readonly router: Router;
  readonly discovery: ModelDiscovery;
  readonly fleet: Fleet;
  readonly storedUpstreams: StoredUpstreams;
  readonly prices: Prices;
  readonly ledger: UsageLedger;
  readonly usage: UsageStore;
  readonly keepDays: number;
  readonly estimator: Estimator;
  readonly maxBodyBytes: number;
  readonly maxUploadBytes: number;
  readonly allowances: OpenAllowances;
  /** Undefined if none are recorded. */
  readonly texts: RecordedTexts | undefined;
  /** The allowances of the config, by name. */
  readonly configured: Readonly<Record<string, AllowanceRule>>;
  /** An error's body as JSON, for the event that ends a stream. */
  readonly renderError: (error: ServiceError, request: Request) => string;
}

/** Who calls, what for, and what of the request goes on. */
export function callOf(auth: Auth, request: Request, reply: Reply, purpose: string): ClientCall {
  const principal = auth.principal(request);
  return {
    caller: principal,
    purpose,
    person: personOf(request, principal),
    tags: tagsOf(request.headers['x-plugboard-tags']),
    headers: request.headers,
    gone: goneSignal(reply),
    passed: traceOf(request.headers),
  };
}

export function sendJson(reply: Reply, { body, upstream, cost, cache }: Answer): Reply {
  reply.header('x-plugboard-upstream', upstream).type('application/json; charset=utf-8');
  if (typeof cost === 'number') reply.header('x-plugboard-cost', cost.toFixed(9));
  if (cache !== undefined) reply.header('x-plugboard-cache', cache);
  return reply.send(body);
}

export function sendEvents(
  reply: Reply,
  { events, upstream, cache }: StreamAnswer,
  type = EVENT_STREAM,
): Reply {
  if (cache !== undefined) reply.header('x-plugboard-cache', cache);
  return reply
    .headers({ 'x-plugboard-upstream': upstream, 'cache-control': 'no-cache', 'x-accel-buffering': 'no' })
    .type(`${type}; charset=utf-8`)
    .send(events);
}

/** Characters of a person or a tag, and tags of a call. */
const LONGEST = 128;
const MOST_TAGS = 10;

/** A person who calls is meant; of an application's call the body says whom it is for, as each vendor names that. */
function personOf({ body }: Request, caller: Principal): string | null {
  if (caller.kind !== 'key') return principalId(caller);
  const { user, safety_identifier: safe, metadata } = (body ?? {}) as Record<string, unknown>;
  const named = user ?? safe ?? (metadata as { user_id?: unknown } | null | undefined)?.user_id;
  return typeof named === 'string' && named !== '' ? named.slice(0, LONGEST) : null;
}

function tagsOf(header: unknown): string | null {
  if (typeof header !== 'string') return null;
  const tags = header.split(',', MOST_TAGS).map((tag) => tag.trim().slice(0, LONGEST));
  return [...new Set(tags.filter((tag) => tag !== ''))].toSorted().join(',') || null;
}
