/** Login by an identity provider: two redirects of a browser. */
import type { Reply, Request, Routes } from 'plugboard/sdk';
import { parse, serialize } from 'cookie';
import type { Sessions } from '../admin/sessions.js';
import { errors } from '../errors.js';
import { setSessionCookie } from '../guard/session-cookie.js';
import type { OidcLogins } from '../oidc/logins.js';
import type { OidcProvider } from '../oidc/provider.js';
import { OidcParams, OidcQuery } from '../schema.js';
import type { Identities } from '../users/identities.js';

export interface OidcParts {
  readonly providers: readonly OidcProvider[];
  readonly logins: OidcLogins;
  readonly identities: Identities;
  readonly sessions: Sessions;
}

const COOKIE = 'plugboard_login';
const TAGS = ['Auth'];

export function oidcRoutes(app: Routes, { providers, logins, identities, sessions }: OidcParts): void {
  const providerOf = (name: string): OidcProvider => {
    const provider = providers.find(({ config }) => config.name === name);
    if (provider === undefined) throw errors.oidc_unknown({ values: { name } });
    return provider;
  };

  app.get(
    '/api/auth/oidc/:name/login',
    {
      schema: {
        summary: 'Send the browser to an identity provider to log in',
        tags: TAGS,
        params: OidcParams,
        querystring: OidcQuery,
      },
    },
    async (request, reply) => {
      const provider = providerOf(request.params.name);
      const { url, secrets } = await provider.begin();
      const browser = await logins.begin(provider.config.name, secrets, localPath(request.query.next));
      setLoginCookie(request, reply, browser);
      return reply.redirect(url.href);
    },
  );

  app.get(
    '/api/auth/oidc/:name/callback',
    {
      schema: {
        summary: 'Where an identity provider sends the browser back',
        tags: TAGS,
        params: OidcParams,
      },
    },
    async (request, reply) => {
      const provider = providerOf(request.params.name);
      const [, query = ''] = (request.raw.url ?? '').split('?', 2);
      const state = new URLSearchParams(query).get('state') ?? '';
      const browser = parse(request.headers.cookie ?? '')[COOKIE] ?? '';
      const login = await logins.take(provider.config.name, state, browser);
      if (login === undefined) throw errors.oidc_expired();
      const { access, ...person } = await provider.finish(query, login.secrets);
      const user = await identities.visit(person, access ?? null);
      if (access === undefined) throw errors.no_access({ values: { login: user.login } });
      const agent = request.headers['user-agent'] ?? '';
      const token = await sessions.begin({ user: user.id, address: request.ip, agent });
      setLoginCookie(request, reply, '');
      setSessionCookie(request, reply, token, sessions.lifetime);
      return reply.redirect(login.next);
    },
  );
}

/** A path of this server: other sites must not choose where the browser goes. */
function localPath(next: string): string {
  const url = URL.canParse(next, 'http://here.invalid') ? new URL(next, 'http://here.invalid') : undefined;
  return url?.origin === 'http://here.invalid' && next.startsWith('/')
    ? url.pathname + url.search + url.hash
    : '/';
}

/** Lax: a Strict cookie would be lost when the provider redirects the browser back. */
function setLoginCookie(request: Request, reply: Reply, value: string): void {
  const secure = request.protocol === 'https';
  const maxAge = value === '' ? 0 : 600;
  void reply.header(
    'set-cookie',
    serialize(COOKIE, value, { path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge }),
  );
}
