/** One category for the routes of one plugin: counts a request behind its guard, and refuses it. */
import type { Auth, Clock, Principal, RateLimitCategory, Reply, Request } from 'plugboard/sdk';
import { secondaryRefusal, type Form, type Standing } from './form.js';
import type { Count, Leases } from './leases.js';
import type { CategoryLimits, Limits } from './limits.js';
import type { Secondary } from './secondary.js';
import { addressSubject, subjectOf, type Subject } from './subject.js';
import type { Tokens } from './tokens.js';

export interface LimiterParts {
  readonly auth: Auth;
  readonly clock: Clock;
  readonly leases: Leases;
  readonly tokens: Tokens;
  /** Undefined where secondary limits do not hold. */
  readonly secondary: Secondary | undefined;
  readonly form: Form;
  readonly refused: (category: string) => void;
}

/** What a request cost, kept on it for its answer. */
interface Charge {
  readonly subject: Subject;
  readonly requests: Count | undefined;
  isRefunded: boolean;
}

const CHARGE = Symbol('plugboard.ratelimit.charge');
type Charged = Request & { [CHARGE]?: Charge };

export class Limiter implements RateLimitCategory {
  readonly #category: CategoryLimits;
  readonly #parts: LimiterParts;

  constructor(category: CategoryLimits, parts: LimiterParts) {
    this.#category = category;
    this.#parts = parts;
  }

  readonly hook: RateLimitCategory['hook'] = (request, reply, done) => {
    const { auth, secondary } = this.#parts;
    const subject = subjectOf(auth.principal(request), request.ip);
    const limits = this.#category.of(subject);
    const wait = secondary?.enter(subject.id, request.method);
    if (wait !== undefined) {
      setCharge(request, subject, undefined);
      this.#parts.refused(this.#category.name);
      done(secondaryRefusal(wait));
      return;
    }
    if (secondary !== undefined) reply.raw.on('close', () => secondary.leave(subject.id));
    const standing = this.#count(subject, limits);
    if (!(standing instanceof Promise)) done(this.#settle(request, reply, subject, limits, standing));
    else {
      standing.then(
        (counted) => done(this.#settle(request, reply, subject, limits, counted)),
        (error: unknown) => done(error as Error),
      );
    }
  };

  readonly onSend: RateLimitCategory['onSend'] = (request, reply, payload, done) => {
    if ((request as Charged)[CHARGE] !== undefined) {
      done(null, payload);
      return;
    }
    const subject = addressSubject(request.ip);
    const { requests, window } = this.#category.of(subject);
    if (requests === null) {
      done(null, payload);
      return;
    }
    Promise.resolve(this.#parts.leases.take(this.#idOf(subject), { limit: requests, window }, 1)).then(
      (count) => {
        this.#setHeaders(reply, { requests: count, tokens: undefined });
        done(null, payload);
      },
      // The refusal of the guard is the answer, also while the store is away.
      () => done(null, payload),
    );
  };

  refund(request: Request, reply: Reply): void {
    const charge = (request as Charged)[CHARGE];
    if (charge?.requests === undefined || charge.isRefunded) return;
    charge.isRefunded = true;
    const { reset, used, remaining } = charge.requests;
    const count = this.#parts.leases.refund(this.#idOf(charge.subject), 1, reset) ?? {
      granted: true,
      used: Math.max(0, used - 1),
      remaining: remaining + 1,
      reset,
    };
    reply.headers(this.#parts.form.refunded(count));
  }

  spend(principal: Principal, tokens: number): void {
    // A call that the server makes for itself has no address.
    if (principal.kind === 'anonymous' || !(tokens > 0)) return;
    const subject = subjectOf(principal, '');
    const limits = this.#category.of(subject);
    if (limits.tokens !== null) this.#parts.tokens.spend(this.#tokensIdOf(subject), tokens, limits.window);
  }

  #count(subject: Subject, limits: Limits): Standing | Promise<Standing> {
    const { leases, tokens: meters } = this.#parts;
    const { window } = limits;
    const tokens =
      limits.tokens === null
        ? undefined
        : meters.check(this.#tokensIdOf(subject), { limit: limits.tokens, window });
    const takeRequest = (): Count | Promise<Count> | undefined =>
      limits.requests === null
        ? undefined
        : leases.take(this.#idOf(subject), { limit: limits.requests, window }, 1);
    if (tokens instanceof Promise) {
      // One after the other: a request that is refused for its tokens is not counted.
      return tokens.then(async (known) => ({
        tokens: known,
        requests: known.granted ? await takeRequest() : undefined,
      }));
    }
    const requests = tokens?.granted === false ? undefined : takeRequest();
    return requests instanceof Promise
      ? requests.then((counted) => ({ tokens, requests: counted }))
      : { tokens, requests };
  }

  /** Sets the headers; answers the refusal, if it is one. */
  #settle(
    request: Request,
    reply: Reply,
    subject: Subject,
    limits: Limits,
    standing: Standing,
  ): Error | undefined {
    const { requests, tokens } = standing;
    setCharge(request, subject, requests?.granted === true ? requests : undefined);
    this.#setHeaders(reply, standing);
    const unit = tokens?.granted === false ? 'tokens' : 'requests';
    const count = standing[unit];
    if (count === undefined || count.granted) return undefined;
    this.#parts.refused(this.#category.name);
    const now = this.#parts.clock.now();
    return this.#parts.form.refuse(this.#category, { unit, count, limits, subject, now });
  }

  #setHeaders(reply: Reply, standing: Standing): void {
    reply.headers(this.#parts.form.headers(this.#category, standing, this.#parts.clock.now()));
  }

  #idOf(subject: Subject): string {
    return windowId(this.#category.name, subject);
  }

  #tokensIdOf(subject: Subject): string {
    return `${this.#category.name}.tokens ${subject.id}`;
  }
}

/** Under which the requests of a caller are counted in storage. */
export function windowId(category: string, subject: Subject): string {
  return `${category} ${subject.id}`;
}

function setCharge(request: Request, subject: Subject, requests: Count | undefined): void {
  (request as Charged)[CHARGE] = { subject, requests, isRefunded: false };
}

/** What routes get while the limits are off. */
export const UNCOUNTED: RateLimitCategory = {
  hook: (_request, _reply, done) => done(),
  onSend: (_request, _reply, payload, done) => done(null, payload),
  refund: () => undefined,
  spend: () => undefined,
};
