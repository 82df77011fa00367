/** The rate limit port: a route names its category, and the provider of `RATE_LIMIT` counts and refuses. */
import type { onRequestHookHandler } from 'fastify';
import type { Guard, Principal } from './auth.js';
import type { Reply, Request } from '../http/routes.js';

export interface RateLimit {
  /**
   * The limiter of a category, such as `core`, `chat` or `data`. Refusals and headers follow the calling plugin's
   * dialect: `github` answers 403 with its recorded texts, all others 429 with `retry-after`. Throws for an unknown
   * category.
   */
  category(name: string): RateLimitCategory;
}

export interface RateLimitCategory {
  /**
   * Counts a request for its principal, sets the limit's headers on any answer, and refuses when the limit is used up.
   * Goes after the guard: `onRequest: [guard, chat.hook]`.
   */
  readonly hook: onRequestHookHandler;
  /** The same for a route without a guard, counted by address. */
  readonly openHook: onRequestHookHandler;
  /** Counts a request that the guard refused, by address, so that its answer has the headers too. */
  guardRefused(request: Request, reply: Reply, done: () => void): void;
  /** Returns the cost of the request, e.g. before a 304; the answer's headers show it. At most once per request. */
  refund(request: Request, reply: Reply): void;
  /** Counts tokens, in a category limited by tokens; known only after the answer, so the next call is refused. */
  spend(principal: Principal, tokens: number): void;
}

/** Spread it into the options of a route. */
interface LimitedRoute {
  onRequest: (Guard | onRequestHookHandler)[];
}

/**
 * The hooks of a guarded route, limited if a category is given: `{ ...limited(guard, core), schema }`. A route open to
 * everyone has no guard.
 */
export function limited(guard: Guard | undefined, category: RateLimitCategory | undefined): LimitedRoute {
  if (guard === undefined) return { onRequest: category === undefined ? [] : [category.openHook] };
  if (category === undefined) return { onRequest: [guard] };
  // One hook: Fastify walks the hooks of a request one by one, and an `onSend` hook costs as much as the counting.
  const both: onRequestHookHandler = function (request, reply, done) {
    guard.call(this, request, reply, (refusal?: Error) => {
      if (refusal === undefined) category.hook.call(this, request, reply, done);
      else category.guardRefused(request, reply, () => done(refusal));
    });
  };
  return { onRequest: [Object.assign(both, { ...guard })] };
}
