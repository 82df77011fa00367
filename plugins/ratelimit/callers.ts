/** Who asks and what holds for them in one category, worked out once for a caller that comes again. */
import type { Principal } from 'plugboard/sdk';
import type { Terms } from './leases.js';
import type { CategoryLimits, Limits } from './limits.js';
import { addressSubject, subjectOf, type Subject } from './subject.js';

export interface Caller {
  readonly subject: Subject;
  readonly limits: Limits;
  /** Under which the requests, and the tokens, are counted in storage. */
  readonly requestsId: string;
  readonly tokensId: string;
  /** Undefined: not limited. */
  readonly requests: Terms | undefined;
  readonly tokens: Terms | undefined;
}

const MOST_ADDRESSES = 1_000;

export class Callers {
  readonly #category: CategoryLimits;
  /** An API key has one principal for as long as it does not change. */
  readonly #byPrincipal = new WeakMap<Principal, Caller>();
  readonly #byAddress = new Map<string, Caller>();

  constructor(category: CategoryLimits) {
    this.#category = category;
  }

  of(principal: Principal, request: { readonly ip: string }): Caller {
    if (principal.kind === 'anonymous') return this.at(request.ip);
    const known = this.#byPrincipal.get(principal);
    if (known !== undefined) return known;
    const caller = this.#make(subjectOf(principal, request.ip));
    this.#byPrincipal.set(principal, caller);
    return caller;
  }

  /** Whoever asks from the address without a credential. */
  at(address: string): Caller {
    const known = this.#byAddress.get(address);
    if (known !== undefined) return known;
    const caller = this.#make(addressSubject(address));
    if (this.#byAddress.size >= MOST_ADDRESSES) this.#byAddress.clear();
    this.#byAddress.set(address, caller);
    return caller;
  }

  #make(subject: Subject): Caller {
    const { name } = this.#category;
    const limits = this.#category.of(subject);
    const { requests, tokens, window } = limits;
    return {
      subject,
      limits,
      requestsId: windowId(name, subject),
      tokensId: `${name}.tokens ${subject.id}`,
      requests: requests === null ? undefined : { limit: requests, window },
      tokens: tokens === null ? undefined : { limit: tokens, window },
    };
  }
}

/** Under which the requests of a caller are counted in storage. */
export function windowId(category: string, subject: Subject): string {
  return `${category} ${subject.id}`;
}
