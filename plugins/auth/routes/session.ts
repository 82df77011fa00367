/** Logging in and out, the administrator's password, and whether management requires a login. */
import type { Auth, Routes } from 'plugboard/sdk';
import { ADMIN_LOGIN, type AdminLogin } from '../admin/login.js';
import type { Sessions } from '../admin/sessions.js';
import type { AdminSettings } from '../admin/settings.js';
import { errors } from '../errors.js';
import { heldTo } from './held-to.js';
import { ALL, allows } from '../allows.js';
import { checkOrigin, csrfToken, refuseForgery } from '../guard/origin.js';
import { readSessionCookie, setSessionCookie } from '../guard/session-cookie.js';
import type { OidcProvider } from '../oidc/provider.js';
import type { Trail } from '../trail.js';
import type { Users } from '../users/users.js';
import {
  LoginAnswer,
  LoginBody,
  PasswordBody,
  RequireLogin,
  SessionList,
  SessionParams,
  Status,
  Success,
} from '../schema.js';

export interface SessionParts {
  readonly auth: Auth;
  readonly admin: AdminSettings;
  readonly login: AdminLogin;
  readonly sessions: Sessions;
  readonly trail: Pick<Trail, 'loggedIn'>;
  readonly users: Users;
  readonly providers: readonly OidcProvider[];
}

/** Bytes. Anyone may send a login. */
const LOGIN_BODY_LIMIT = 16 * 1024;

export function sessionRoutes(
  app: Routes,
  { auth, admin, login, trail, sessions, users, providers }: SessionParts,
): void {
  const manage = auth.guard('management');

  app.post(
    '/api/auth/login',
    {
      bodyLimit: LOGIN_BODY_LIMIT,
      schema: { summary: 'Log in', tags: ['Auth'], body: LoginBody, response: { 200: LoginAnswer } },
    },
    async (request, reply) => {
      // Another site must not log this browser in: its page can post a form unasked, JSON only if CORS allows it.
      const isJson = request.mediaType === 'application/json';
      if (!isJson && checkOrigin(request) === 'other') throw errors.cross_origin();
      const agent = request.headers['user-agent'] ?? '';
      const token = await login.login(request.body, { address: request.ip, agent });
      trail.loggedIn(request.body.login ?? ADMIN_LOGIN, request.ip);
      // The browser's previous session would otherwise stay alive.
      const before = readSessionCookie(request);
      if (before !== undefined) await sessions.end(before);
      setSessionCookie(request, reply, token, sessions.lifetime);
      return { success: true, csrfToken: csrfToken(token) };
    },
  );

  app.post(
    '/api/auth/logout',
    { schema: { summary: 'Log out', tags: ['Auth'], response: { 200: Success } } },
    async (request, reply) => {
      const token = readSessionCookie(request);
      if (token !== undefined) {
        refuseForgery(request, token);
        await sessions.end(token);
      }
      setSessionCookie(request, reply, '', 0);
      return { success: true };
    },
  );

  app.get(
    '/api/auth/status',
    {
      onRequest: auth.guard('management', { optional: true }),
      schema: { summary: 'Who is logged in', tags: ['Auth'], response: { 200: Status } },
    },
    async (request) => {
      const principal = auth.principal(request);
      const { kind } = principal;
      const token = readSessionCookie(request);
      return {
        ...(kind === 'session'
          ? { login: principal.user?.login ?? ADMIN_LOGIN, access: principal.access }
          : { login: null, access: null }),
        providers: providers.map(({ config: { name, label = name } }) => ({
          name,
          label,
          login: `/api/auth/oidc/${name}/login`,
        })),
        scopes: principal.scopes,
        authenticated: kind !== 'anonymous',
        requireLogin: await admin.requiresLogin(),
        csrfToken: kind === 'session' && token !== undefined ? csrfToken(token) : null,
      };
    },
  );

  app.post(
    '/api/auth/password',
    {
      onRequest: auth.guard('management', { members: true }),
      schema: {
        summary: 'Change the password, and end all other sessions',
        tags: ['Auth'],
        body: PasswordBody,
        response: { 200: Success },
      },
    },
    async (request) => {
      const principal = auth.principal(request);
      const { id: session, user } =
        principal.kind === 'session' ? principal : { id: undefined, user: undefined };
      await login.changePassword(request.body, { session, user, address: request.ip });
      return { success: true };
    },
  );

  const own = auth.guard('management', { members: true });

  app.get(
    '/api/auth/sessions',
    {
      onRequest: own,
      schema: {
        summary: 'List the sessions, newest first: of a member their own',
        tags: ['Auth'],
        response: { 200: SessionList },
      },
    },
    async (request) => {
      const principal = auth.principal(request);
      const listed = await sessions.list(heldTo(auth, request));
      const logins = await users.logins(listed.flatMap(({ user }) => user ?? []));
      return {
        sessions: listed.map(({ user, ...session }) => ({
          ...session,
          login: user === null ? ADMIN_LOGIN : (logins.get(user) ?? `user ${user}`),
          current: principal.kind === 'session' && principal.id === session.id,
        })),
      };
    },
  );

  app.delete(
    '/api/auth/sessions/:id',
    {
      onRequest: own,
      schema: { summary: 'End a session', tags: ['Auth'], params: SessionParams, response: { 200: Success } },
    },
    async (request) => {
      if (!(await sessions.endById(request.params.id, heldTo(auth, request))))
        throw errors.session_not_found();
      return { success: true };
    },
  );

  app.get(
    '/api/settings/require-login',
    {
      schema: {
        summary: 'Whether management asks for a login',
        tags: ['Auth'],
        response: { 200: RequireLogin },
      },
    },
    async () => ({ requireLogin: await admin.requiresLogin() }),
  );

  app.put(
    '/api/settings/require-login',
    {
      onRequest: manage,
      schema: {
        summary: 'Set whether management asks for a login; for the administrator',
        tags: ['Auth'],
        body: RequireLogin,
        response: { 200: RequireLogin },
      },
    },
    async (request) => {
      // A management-only key could otherwise open management to everybody.
      if (!allows(auth.principal(request), ALL)) throw errors.administrator_only();
      await admin.setRequiresLogin(request.body.requireLogin);
      return { requireLogin: request.body.requireLogin };
    },
  );
}
