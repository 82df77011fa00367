/** What other plugins verify: their tokens, each asked in the order in which it was registered. */
import type { Principal, Request, TokenVerifier } from 'plugboard/sdk';
import { ALL, allows, MANAGE } from '../allows.js';

type Credential = Parameters<TokenVerifier>[0];
type Verified = Principal | undefined | Promise<Principal | undefined>;

export class Verifiers {
  /** Replaced by each change, as a request may be half way through it. */
  #all: readonly TokenVerifier[] = [];

  /** Returns what removes it. */
  register(verifier: TokenVerifier): () => void {
    // Registered twice, it can be removed once: each registration is its own.
    const own: TokenVerifier = (credential, request) => verifier(credential, request);
    this.#all = [...this.#all, own];
    return () => (this.#all = this.#all.filter((other) => other !== own));
  }

  /** Without a promise where no verifier needs to read. */
  verify(credential: Credential, request: Request): Verified {
    return ask(this.#all, credential, request);
  }
}

function ask(
  [verifier, ...others]: readonly TokenVerifier[],
  credential: Credential,
  request: Request,
): Verified {
  if (verifier === undefined) return undefined;
  const judge = (principal: Principal | null | undefined): Verified =>
    principal === undefined
      ? ask(others, credential, request)
      : (principal ?? undefined) && withoutManagement(principal as Principal);
  const principal = verifier(credential, request);
  return principal instanceof Promise ? principal.then(judge) : judge(principal);
}

/** A token never opens the management of the server, whoever has verified it. */
function withoutManagement(principal: Principal): Principal {
  if (!allows(principal, MANAGE)) return principal;
  return { ...principal, scopes: principal.scopes.filter((scope) => scope !== MANAGE && scope !== ALL) };
}
