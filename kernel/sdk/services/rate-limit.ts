/** The rate limit port: a route names its category, and whoever provides `RATE_LIMIT` counts and refuses. */
import type { onRequestHookHandler } from 'fastify';
import type { Guard, Principal } from './auth.js';
import type { Reply, Request } from '../http/routes.js';

export interface RateLimit {
  /**
   * The limiter of a category, such as `core`, `chat` or `data`. Refusals and headers have the form of the calling
   * plugin's dialect: `github` answers 403 with its recorded texts, all others 429 with `retry-after`.
   * Throws for a category that does not exist.
   */
  category(name: string): RateLimitCategory;
}

export interface RateLimitCategory {
  /**
   * Counts one request of its principal, sets the limit's headers on whatever the route answers, and refuses when
   * the limit is used up. It stands behind the guard: `onRequest: [guard, chat.hook]`.
   */
  readonly hook: onRequestHookHandler;
  /** The same for a route without a guard, by its address alone. */
  readonly openHook: onRequestHookHandler;
  /** Counts a request that the guard refused against its address, so that its answer has the headers too. */
  guardRefused(request: Request, reply: Reply, done: () => void): void;
  /** Gives back what the request cost, e.g. before a 304; the headers of the answer show it. At most once a request. */
  refund(request: Request, reply: Reply): void;
  /** Counts tokens, in a category that is bounded in tokens; known only after the answer, so the next one is refused. */
  spend(principal: Principal, tokens: number): void;
}

/** What `limited` answers: spread it into the options of a route. */
interface LimitedRoute {
  onRequest: (Guard | onRequestHookHandler)[];
}

/**
 * The hooks of a route behind a guard, limited when a category is given: `{ ...limited(guard, core), schema }`. A route
 * that is open to everybody has no guard.
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
