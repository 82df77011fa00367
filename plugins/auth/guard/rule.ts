/** What a guard accepts, computed once from its declaration, and its texts for clients and OpenAPI. */
import type { Consumer, Credential, ErrorDetails, Guard, GuardOptions, SecurityScheme } from 'plugboard/sdk';
import { MANAGE } from '../allows.js';
import { SESSION_COOKIE } from './session-cookie.js';

export interface Rule {
  readonly credentials: readonly Credential[];
  readonly optional: boolean;
  /** A token of a registered verifier needs one of these; empty if it needs none. */
  readonly scopes: readonly string[];
  readonly takesKeys: boolean;
  /** Tokens of people and of registered verifiers; the management verifies them and admits none. */
  readonly takesTokens: boolean;
  /** Also accepts verifiers' tokens as the Basic password, with their own scopes. */
  readonly namesTokens: boolean;
  readonly takesSessions: boolean;
  /** Only the management opens the route, not a plugin's scope. */
  readonly isManagement: boolean;
  readonly members: boolean;
  readonly takesUsers: boolean;
  readonly takesApps: boolean;
  /** An API key or a person needs one of these; empty if they need none. */
  readonly keyScopes: readonly string[];
  /** For error texts: `an API key (...) or ...`. */
  readonly accepted: string;
  readonly schemes: Readonly<Record<string, SecurityScheme>>;
  readonly security: Guard['security'];
}

/** Throws a `TypeError` for a guard that `plugin` may not have. */
export function makeRule(
  credentials: readonly Credential[],
  { optional = false, members = false, scope = [], tokenScope = scope }: GuardOptions,
  plugin: Pick<Consumer, 'id' | 'scopes'>,
): Rule {
  const takes = (credential: Credential): boolean => credentials.includes(credential);
  const ofKeys = [scope].flat();
  const ofTokens = [tokenScope].flat();
  assertScopes(ofKeys, takes('bearer') && !optional, plugin);
  assertScopes(ofTokens, false, plugin);
  const manage = takes('management') ? [MANAGE] : [];
  const keyScopes = takes('bearer') && ofKeys.length === 0 ? [] : [...ofKeys, ...manage];
  const scopes = takes('token') ? ofTokens : keyScopes;
  return {
    credentials,
    optional,
    scopes,
    takesKeys: takes('bearer') || takes('management'),
    namesTokens: takes('token'),
    takesTokens: takes('token') || takes('bearer') || takes('management') || ofKeys.length > 0,
    takesSessions: takes('management') || takes('bearer'),
    members,
    isManagement: takes('management') && ofKeys.length === 0 && !takes('bearer'),
    takesUsers: takes('basicUser'),
    takesApps: takes('basicApp'),
    keyScopes,
    accepted: credentials.map((credential) => ACCEPTED[credential]).join(', or '),
    schemes: Object.assign({}, ...credentials.map((credential) => SCHEMES[credential])) as Rule['schemes'],
    security: securityOf(credentials, { keyScopes, scopes, optional }),
  };
}

/** A plugin that used another plugin's scope would open its routes to keys made for that plugin. */
function assertScopes(
  asked: readonly string[],
  needed: boolean,
  { id, scopes }: Pick<Consumer, 'id' | 'scopes'>,
): void {
  if (needed && asked.length === 0)
    throw new TypeError(
      `"${id}" has a guard that takes API keys and asks for no scope: declare one in "scopes" and ask for it, guard('bearer', { scope: 'x' })`,
    );
  const foreign = asked.find((name) => !Object.hasOwn(scopes, name));
  if (foreign !== undefined)
    throw new TypeError(
      `"${id}" has a guard that asks for the scope "${foreign}", which it does not declare in "scopes"`,
    );
}

/** OpenAPI 3.1: the list of a scheme other than OAuth names the required permissions. */
function securityOf(
  credentials: readonly Credential[],
  { keyScopes, scopes, optional }: Pick<Rule, 'keyScopes' | 'scopes' | 'optional'>,
): Guard['security'] {
  const needed = (scheme: string): readonly string[] =>
    scheme === 'accessToken' ? scopes : scheme.startsWith('apiKey') ? keyScopes : [];
  const names = [...new Set(credentials.flatMap((credential) => Object.keys(SCHEMES[credential])))];
  const required = names.flatMap((name) => {
    const each = needed(name);
    return each.length === 0 ? [{ [name]: [] }] : each.map((one) => ({ [name]: [one] }));
  });
  return [...required, ...(optional ? [{}] : [])];
}

/** The headers of a 401: one challenge for each accepted scheme (RFC 9110 11.6.1, RFC 6750 3). */
export function challenge(rule: Rule, error?: 'invalid_token'): Pick<ErrorDetails, 'headers'> {
  const bearer = rule.takesKeys || rule.takesTokens;
  const basic = rule.takesUsers || rule.takesApps;
  const challenges = [
    ...(bearer ? [`Bearer realm="plugboard"${error === undefined ? '' : `, error="${error}"`}`] : []),
    ...(basic ? ['Basic realm="plugboard", charset="UTF-8"'] : []),
  ];
  return { headers: { 'www-authenticate': challenges.join(', ') } };
}

const ACCEPTED: Readonly<Record<Credential, string>> = {
  bearer: 'an API key or a token of a known issuer ("Authorization: Bearer ..."), or "X-API-Key: pb_..."',
  token: 'an access token ("Authorization: Bearer ...")',
  management: 'a session (POST /api/auth/login) or an API key with the scope "manage"',
  basicUser: 'a login and password (Basic)',
  basicApp: 'a client id and client secret (Basic)',
};

const apiKey: SecurityScheme = {
  type: 'http',
  scheme: 'bearer',
  description: 'An API key, `Authorization: Bearer pb_...`, or a token (JWT) of a configured issuer.',
};

const apiKeyHeader: SecurityScheme = {
  type: 'apiKey',
  in: 'header',
  name: 'X-API-Key',
  description: 'An API key in a header of its own.',
};

const session: SecurityScheme = {
  type: 'apiKey',
  in: 'cookie',
  name: SESSION_COOKIE,
  description:
    "A management session, begun by `POST /api/auth/login`. State-changing calls also need a same-origin `Origin`, or the session's token in `X-CSRF-Token`.",
};

const SCHEMES: Readonly<Record<Credential, Readonly<Record<string, SecurityScheme>>>> = {
  bearer: { apiKey, apiKeyHeader, session },
  token: {
    accessToken: {
      type: 'http',
      scheme: 'bearer',
      description: 'An access token issued by this server; `Authorization: token ...` is understood too.',
    },
  },
  management: { apiKey, apiKeyHeader, session },
  basicUser: {
    user: {
      type: 'http',
      scheme: 'basic',
      description: 'Login and password; users with two-factor authentication add `X-GitHub-OTP`.',
    },
  },
  basicApp: {
    application: { type: 'http', scheme: 'basic', description: 'Client id and client secret.' },
  },
};
