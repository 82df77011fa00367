/** One category for one plugin's routes: counts a request after its guard, and refuses it. */
import {
  whenAnswered,
  type Auth,
  type Clock,
  type Principal,
  type RateLimitCategory,
  type Reply,
  type Request,
} from 'plugboard/sdk';
import { Callers, type Caller } from './callers.js';
import { secondaryRefusal, type Form, type Standing } from './form.js';
import type { Count, Leases } from './leases.js';
import type { CategoryLimits } from './limits.js';
import type { Secondary } from './secondary.js';
import type { Tokens } from './tokens.js';

export interface LimiterParts {
  readonly auth: Auth;
  readonly clock: Clock;
  readonly leases: Leases;
  readonly tokens: Tokens;
  /** Undefined without secondary limits. */
  readonly secondary: Secondary | undefined;
  readonly form: Form;
  readonly refused: (category: string) => void;
}

/** A request's cost, kept for its response. */
interface Charge {
  readonly caller: Caller;
  readonly requests: Count | undefined;
  isRefunded: boolean;
}

const CHARGE = Symbol('plugboard.ratelimit.charge');
type Charged = Request & { [CHARGE]?: Charge };

export class Limiter implements RateLimitCategory {
  readonly #category: CategoryLimits;
  readonly #parts: LimiterParts;
  readonly #callers: Callers;

  constructor(category: CategoryLimits, parts: LimiterParts) {
    this.#category = category;
    this.#parts = parts;
    this.#callers = new Callers(category);
  }

  readonly hook: RateLimitCategory['hook'] = (request, reply, done) =>
    this.#admit(this.#parts.auth.principal(request), request, reply, done);

  readonly openHook: RateLimitCategory['hook'] = (request, reply, done) =>
    this.#admit(ANYBODY, request, reply, done);

  #admit(principal: Principal, request: Request, reply: Reply, done: (error?: Error) => void): void {
    const { secondary } = this.#parts;
    const caller = this.#callers.of(principal, request);
    // Read once: on some machines a clock read takes a third of a microsecond.
    const now = this.#parts.clock.now();
    if (secondary !== undefined) {
      const entered = secondary.enter(caller.subject.id, request.method, now);
      if (typeof entered === 'number') {
        setCharge(request, caller, undefined);
        this.#parts.refused(this.#category.name);
        done(secondaryRefusal(entered));
        return;
      }
      whenAnswered(reply, () => void (entered.inFlight -= 1));
    }
    const standing = this.#count(caller, now);
    if (!(standing instanceof Promise)) done(this.#settle(request, reply, caller, standing, now));
    else {
      standing.then(
        (counted) => done(this.#settle(request, reply, caller, counted, this.#parts.clock.now())),
        (error: unknown) => done(error as Error),
      );
    }
  }

  guardRefused(request: Request, reply: Reply, done: () => void): void {
    const { requestsId, requests } = this.#callers.at(request.ip);
    if (requests === undefined) {
      done();
      return;
    }
    const now = this.#parts.clock.now();
    Promise.resolve(this.#parts.leases.take(requestsId, requests, 1, now)).then(
      (count) => {
        this.#show(reply, { requests: count, tokens: undefined }, now);
        done();
      },
      // The guard's refusal is the response, even while the store is unavailable.
      () => done(),
    );
  }

  refund(request: Request, reply: Reply): void {
    const charge = (request as Charged)[CHARGE];
    if (charge?.requests === undefined || charge.isRefunded) return;
    charge.isRefunded = true;
    const { reset, used, remaining } = charge.requests;
    const count = this.#parts.leases.refund(charge.caller.requestsId, 1, reset) ?? {
      granted: true,
      used: Math.max(0, used - 1),
      remaining: remaining + 1,
      reset,
    };
    this.#parts.form.showRefund(reply, count);
  }

  spend(principal: Principal, tokens: number): void {
    if (principal.kind === 'anonymous' || !(tokens > 0)) return;
    const caller = this.#callers.of(principal, NOWHERE);
    if (caller.tokens !== undefined) this.#parts.tokens.spend(caller.tokensId, tokens, caller.tokens.window);
  }

  #count({ requestsId, requests, tokensId, tokens }: Caller, now: number): Standing | Promise<Standing> {
    const { leases, tokens: meters } = this.#parts;
    const metered = tokens === undefined ? undefined : meters.check(tokensId, tokens);
    const takeRequest = (): Count | Promise<Count> | undefined =>
      requests === undefined ? undefined : leases.take(requestsId, requests, 1, now);
    if (metered instanceof Promise) {
      // In sequence: a request refused for its tokens is not counted.
      return metered.then(async (known) => ({
        tokens: known,
        requests: known.granted ? await takeRequest() : undefined,
      }));
    }
    const taken = metered?.granted === false ? undefined : takeRequest();
    return taken instanceof Promise
      ? taken.then((counted) => ({ tokens: metered, requests: counted }))
      : { tokens: metered, requests: taken };
  }

  /** Sets the headers; returns the refusal, if any. */
  #settle(
    request: Request,
    reply: Reply,
    caller: Caller,
    standing: Standing,
    now: number,
  ): Error | undefined {
    const { requests, tokens } = standing;
    setCharge(request, caller, requests?.granted === true ? requests : undefined);
    this.#show(reply, standing, now);
    const unit = tokens?.granted === false ? 'tokens' : 'requests';
    const count = standing[unit];
    if (count === undefined || count.granted) return undefined;
    this.#parts.refused(this.#category.name);
    const { subject, limits } = caller;
    return this.#parts.form.refuse(this.#category, { unit, count, limits, subject, now });
  }

  #show(reply: Reply, standing: Standing, now: number): void {
    this.#parts.form.show(reply, this.#category, standing, now);
  }
}

function setCharge(request: Request, caller: Caller, requests: Count | undefined): void {
  (request as Charged)[CHARGE] = { caller, requests, isRefunded: false };
}

/** The caller if no guard runs. */
const ANYBODY: Principal = { kind: 'anonymous', scopes: [] };

/** A call that the server makes itself has no address. */
const NOWHERE = { ip: '' };

/** What routes get while the limits are off. */
export const UNCOUNTED: RateLimitCategory = {
  hook: (_request, _reply, done) => done(),
  openHook: (_request, _reply, done) => done(),
  guardRefused: (_request, _reply, done) => done(),
  refund: () => undefined,
  spend: () => undefined,
};
