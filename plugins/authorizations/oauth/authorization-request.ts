/** The authorization request (RFC 6749 4.1.1): judged when the page is shown, and again when the user decides. */
import type { Application } from 'plugboard/sdk';
import { problem, type ProblemCode } from './problem.js';
import { isRedirectOf, redirectTo } from './redirect.js';
import type { AuthorizeQuery } from './schema.js';
import { readScope } from './scope.js';

/** A valid request to show to the user. */
export interface AuthorizationRequest {
  readonly app: Application;
  readonly scopes: readonly string[];
  readonly redirectUri: string;
  readonly state: string | undefined;
  readonly challenge: string | null;
}

/**
 * `stays`: no redirect, because the application or the address is unknown. `location`: the error goes to the
 * application, at its own address.
 */
export type Judged =
  | { readonly kind: 'request'; readonly request: AuthorizationRequest }
  | { readonly kind: 'stays'; readonly message: string }
  | { readonly kind: 'refused'; readonly location: string };

export function judge(query: AuthorizeQuery, app: Application | null, allowed: ReadonlySet<string>): Judged {
  if (app === null) return { kind: 'stays', message: 'There is no application with this client id.' };
  const { redirect_uri: redirectUri = app.url, state, scope = '' } = query;
  if (!isRedirectOf(redirectUri, app.url))
    return { kind: 'stays', message: `The address to go back to is not one of ${app.name}.` };
  const refuse = (code: ProblemCode): Judged => ({
    kind: 'refused',
    location: refusal({ redirectUri, state }, code),
  });
  const scopes = readScope(scope, allowed);
  if (scopes === undefined) return refuse('invalid_scope');
  const { code_challenge: challenge, code_challenge_method: method } = query;
  if (challenge !== undefined && (method !== 'S256' || !/^[\w-]{43}$/.test(challenge)))
    return refuse('invalid_request');
  return { kind: 'request', request: { app, scopes, redirectUri, state, challenge: challenge ?? null } };
}

/** Where the browser goes when the application gets no code. */
export function refusal(
  { redirectUri, state }: Pick<AuthorizationRequest, 'redirectUri' | 'state'>,
  code: ProblemCode,
): string {
  const { error, error_description, error_uri } = problem(code);
  return redirectTo(redirectUri, { error, error_description, error_uri, state });
}
