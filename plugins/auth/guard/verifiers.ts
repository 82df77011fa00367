/** Token verifiers of other plugins, called in order of registration. */
import type { Principal, Request, TokenVerifier } from 'plugboard/sdk';
import { ALL, allows, MANAGE } from '../allows.js';

type Credential = Parameters<TokenVerifier>[0];
type Verified = Principal | undefined | Promise<Principal | undefined>;

export class Verifiers {
  /** Copied on write, as a request may be iterating. */
  #all: readonly TokenVerifier[] = [];

  /** Returns a function that removes it. */
  register(verifier: TokenVerifier): () => void {
    // Each registration is separate: registered twice, it is removed once.
    const own: TokenVerifier = (credential, request) => verifier(credential, request);
    this.#all = [...this.#all, own];
    return () => (this.#all = this.#all.filter((other) => other !== own));
  }

  /** No promise if no verifier needs to read. */
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

/** A token never opens the management, whoever verified it. */
function withoutManagement(principal: Principal): Principal {
  if (!allows(principal, MANAGE)) return principal;
  return { ...principal, scopes: principal.scopes.filter((scope) => scope !== MANAGE && scope !== ALL) };
}
