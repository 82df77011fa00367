/** Callers and their limits in one category, cached for repeated requests. */
import type { Principal } from 'plugboard/sdk';
import type { Terms } from './leases.js';
import type { CategoryLimits, Limits } from './limits.js';
import { addressSubject, subjectOf, type Subject } from './subject.js';

export interface Caller {
  readonly subject: Subject;
  readonly limits: Limits;
  /** Storage ids of the counts of requests, and of tokens. */
  readonly requestsId: string;
  readonly tokensId: string;
  /** Undefined: not limited. */
  readonly requests: Terms | undefined;
  readonly tokens: Terms | undefined;
}

const MOST_ADDRESSES = 1_000;

export class Callers {
  readonly #category: CategoryLimits;
  /** An API key has the same principal while it does not change. */
  readonly #byPrincipal = new WeakMap<Principal, Caller>();
  readonly #byAddress = new Map<string, Caller>();

  constructor(category: CategoryLimits) {
    this.#category = category;
  }

  of(principal: Principal, request: { readonly ip: string }): Caller {
    if (principal.kind === 'anonymous') return this.at(request.ip);
    if (principal.kind === 'key' && principal.publishable === true)
      return this.#make(subjectOf(principal, request.ip), `key:${principal.id}`);
    const known = this.#byPrincipal.get(principal);
    if (known !== undefined) return known;
    const caller = this.#make(subjectOf(principal, request.ip));
    this.#byPrincipal.set(principal, caller);
    return caller;
  }

  /** An unauthenticated caller from the address. */
  at(address: string): Caller {
    const known = this.#byAddress.get(address);
    if (known !== undefined) return known;
    const caller = this.#make(addressSubject(address));
    if (this.#byAddress.size >= MOST_ADDRESSES) this.#byAddress.clear();
    this.#byAddress.set(address, caller);
    return caller;
  }

  /** Tokens count by `payer`, also those of a publishable key: they cost its owner money. */
  #make(subject: Subject, payer = subject.id): Caller {
    const { name } = this.#category;
    const limits = this.#category.of(subject);
    const { requests, tokens, window } = limits;
    return {
      subject,
      limits,
      requestsId: windowId(name, subject),
      tokensId: `${name}.tokens ${payer}`,
      requests: requests === null ? undefined : { limit: requests, window },
      tokens: tokens === null ? undefined : { limit: tokens, window },
    };
  }
}

/** The storage id of a caller's request count. */
export function windowId(category: string, subject: Subject): string {
  return `${category} ${subject.id}`;
}
