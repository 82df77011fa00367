/** Whether a principal has the scopes of a guard, and the refusal if not. */
import type { Principal, Reply, ServiceError } from 'plugboard/sdk';
import { allows } from '../allows.js';
import { errors } from '../errors.js';
import { challenge, type Rule } from './rule.js';

/** A person needs a key's scopes; a verifier's token may need fewer. No token opens the management. */
export function scoped(
  principal: Principal,
  { scopes, keyScopes, takesKeys, isManagement }: Rule,
): Principal {
  const needed = principal.kind === 'person' && takesKeys ? keyScopes : scopes;
  if (!isManagement && holdsOne(principal, needed)) return principal;
  throw insufficientScope('token of', nameOf(principal), needed);
}

/** Clients of GitHub-like services expect these in every answer to a token: its scopes, and those of the route. */
export function tellScopes(reply: Reply, principal: Principal, { scopes }: Rule): void {
  if (principal.kind !== 'user' || principal.via !== 'token') return;
  reply.header('x-oauth-scopes', principal.scopes.join(', '));
  reply.header('x-accepted-oauth-scopes', scopes.join(', '));
}

function nameOf(principal: Principal): string {
  if (principal.kind === 'user') return principal.user.login;
  return principal.kind === 'person' ? principal.id : principal.kind;
}

/** True if no scopes are needed. */
export function holdsOne(principal: Principal, scopes: readonly string[]): boolean {
  return scopes.length === 0 || scopes.some((scope) => allows(principal, scope));
}

export function insufficientScope(
  kind: string,
  name: string,
  [first = '', ...others]: readonly string[],
): ServiceError {
  const scope = [first, ...others].join('" or "');
  const challenged = `Bearer realm="plugboard", error="insufficient_scope", scope="${first}"`;
  return errors.insufficient_scope({
    values: { kind, name, scope },
    headers: { 'www-authenticate': challenged },
  });
}

/** Where API keys are accepted, an unknown text is most likely a wrong key. */
export function unknownToken(rule: Rule): ServiceError {
  if (rule.namesTokens) return errors.invalid_token(challenge(rule, 'invalid_token'));
  return rule.takesKeys
    ? errors.invalid_api_key(challenge(rule, 'invalid_token'))
    : notAccepted('tokens', rule);
}

export function notAccepted(sent: string, rule: Rule): ServiceError {
  return errors.credential_not_accepted({ values: { sent, accepted: rule.accepted }, ...challenge(rule) });
}
