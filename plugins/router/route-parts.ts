/** What the routes are made of, and what they have in common. */
import {
  goneSignal,
  type Auth,
  type Clock,
  type RateLimitCategory,
  type Reply,
  type Request,
  type ServiceError,
} from 'plugboard/sdk';
import type { Answer, StreamAnswer } from './call/answers.js';
import { traceOf } from './call/passed-headers.js';
import type { ClientCall } from './conversations.js';
import type { Estimator } from './estimate/estimator.js';
import type { ModelDiscovery } from './models-list.js';
import type { Router } from './service.js';
import type { Upstream } from './upstream/upstream.js';
import type { UsageLedger } from './usage/ledger.js';
import type { UsageStore } from './usage/store.js';

export interface RouteParts {
  readonly auth: Auth;
  /** Bounds the calls of models; undefined when no plugin limits requests. */
  readonly limit: RateLimitCategory | undefined;
  readonly clock: Clock;
  readonly router: Router;
  readonly discovery: ModelDiscovery;
  readonly upstreams: readonly Upstream[];
  readonly ledger: UsageLedger;
  readonly usage: UsageStore;
  readonly keepDays: number;
  readonly estimator: Estimator;
  readonly maxBodyBytes: number;
  /** An error's body as JSON, for the event that ends a stream. */
  readonly renderError: (error: ServiceError, request: Request) => string;
}

/** Who calls, what for, and what of the request goes on. */
export function callOf(auth: Auth, request: Request, reply: Reply, purpose: string): ClientCall {
  return {
    caller: auth.principal(request),
    purpose,
    headers: request.headers,
    gone: goneSignal(reply),
    passed: traceOf(request.headers),
  };
}

export function sendJson(reply: Reply, { body, upstream }: Answer): Reply {
  return reply.header('x-plugboard-upstream', upstream).type('application/json; charset=utf-8').send(body);
}

export function sendEvents(reply: Reply, { events, upstream }: StreamAnswer): Reply {
  return reply
    .headers({ 'x-plugboard-upstream': upstream, 'cache-control': 'no-cache', 'x-accel-buffering': 'no' })
    .type('text/event-stream; charset=utf-8')
    .send(events);
}
