/** Tokens as credentials: they open the routes of other plugins with their scopes. */
import type { Auth, Collection, TokenVerifier } from 'plugboard/sdk';
import type { AuthorizationDocument } from './documents.js';
import type { Revocations } from './revocations.js';
import { tokenHash } from './token.js';

export interface VerifierParts {
  readonly documents: Collection<AuthorizationDocument>;
  readonly revocations: Revocations;
  readonly auth: Auth;
}

export function verifier({ documents, revocations, auth }: VerifierParts): TokenVerifier {
  return async ({ scheme, token, login }) => {
    const hash = tokenHash(scheme === 'basic' && isPlaceholder(token) ? (login ?? '') : token);
    const document = hash === undefined ? null : await documents.findOne({ tokenHash: hash });
    if (document === null) return undefined;
    const { app } = document;
    const [user, isAccepted, hasApp] = await Promise.all([
      auth.users.byId(document.userId),
      revocations.accepts(document),
      app === null || auth.apps.byClientId(app.clientId),
    ]);
    if (user === null || !isAccepted || hasApp === null) return null;
    return { kind: 'user', user, scopes: document.scopes, via: 'token' };
  };
}

/** With Basic a token may stand in place of the login, and one of these in place of the password. */
function isPlaceholder(password: string): boolean {
  return password === '' || password === 'x-oauth-basic';
}
