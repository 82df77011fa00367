/** The addresses of the web and device flows, as GitHub's clients know them, and their two pages. */
import { limited, type Auth, type RateLimitCategory, type Reply, type Routes } from 'plugboard/sdk';
import { errors } from '../errors.js';
import { baseOf } from '../paging.js';
import { userOf } from '../user-of.js';
import { answer } from './answer.js';
import type { DeviceCodes } from './device-codes.js';
import type { OAuth } from './oauth.js';
import { consentPage, devicePage, messagePage, pageFiles, POLICY } from './page.js';
import {
  AuthorizeBody,
  AuthorizeQuery,
  DeviceBody,
  DeviceCodeBody,
  DeviceDecision,
  DeviceQuery,
  Location,
  TokenRequest,
} from './schema.js';

export interface OAuthRouteParts {
  readonly auth: Auth;
  /** Undefined when no plugin limits requests. */
  readonly limit: RateLimitCategory | undefined;
  readonly oauth: OAuth;
  readonly deviceCodes: DeviceCodes;
}

const TOKEN_PATH = '/login/oauth/access_token';

export function oauthRoutes(app: Routes, parts: OAuthRouteParts): void {
  pageFiles(app);
  webFlow(app, parts);
  deviceFlow(app, parts);

  app.post(
    TOKEN_PATH,
    { schema: { summary: 'Exchange a code of the web or device flow for a token', body: TokenRequest } },
    async (request, reply) => answer(request, reply, await parts.oauth.exchange(request.body)),
  );
}

function webFlow(app: Routes, { auth, limit, oauth }: OAuthRouteParts): void {
  app.get(
    '/login/oauth/authorize',
    { config: { hidden: true }, schema: { querystring: AuthorizeQuery } },
    async ({ query }, reply) => {
      const judged = await oauth.judge(query);
      if (judged.kind === 'refused') return reply.redirect(judged.location);
      if (judged.kind === 'request') return html(reply, 200, consentPage(judged.request, query));
      return html(reply, 400, messagePage('This cannot be allowed', judged.message));
    },
  );

  app.post(
    '/login/oauth/authorize',
    {
      ...limited(auth.guard('basicUser'), limit),
      schema: {
        summary: 'Allow an application a token, or deny it',
        body: AuthorizeBody,
        response: { 200: Location },
      },
    },
    async (request, reply) => {
      const { decision, ...query } = request.body;
      const location = await oauth.decide(query, userOf(auth, request), decision === 'allow');
      if (location === undefined) throw errors.request_not_allowed();
      reply.header('cache-control', 'no-store');
      return { location };
    },
  );
}

function deviceFlow(app: Routes, { auth, limit, oauth, deviceCodes }: OAuthRouteParts): void {
  app.post(
    '/login/device/code',
    { schema: { summary: 'Start the login of a device', body: DeviceCodeBody } },
    async (request, reply) => {
      const { client_id: clientId, scope = '' } = request.body;
      const page = `${baseOf(request)}/login/device`;
      return answer(request, reply, await oauth.startDevice(clientId, scope, page));
    },
  );

  app.get(
    '/login/device',
    { config: { hidden: true }, schema: { querystring: DeviceQuery } },
    ({ query }, reply) => html(reply, 200, devicePage(query.user_code ?? '')),
  );

  app.post(
    '/login/device',
    {
      ...limited(auth.guard('basicUser'), limit),
      schema: {
        summary: 'Look up the code of a device, allow it a token, or deny it',
        body: DeviceBody,
        response: { 200: DeviceDecision },
      },
    },
    async (request, reply) => {
      const { user_code: typed, decision } = request.body;
      const userId = userOf(auth, request);
      reply.header('cache-control', 'no-store');
      const grant = await deviceCodes.entered(typed, userId);
      if (grant === 'tooManyWrong') throw errors.too_many_codes();
      if (grant === 'wrong') throw errors.unknown_code();
      const asked = await auth.apps.byClientId(grant.clientId);
      if (asked === null) throw errors.unknown_code();
      const shown = { application: asked.name, scopes: [...grant.scopes] };
      if (decision === undefined) return { ...shown, state: 'waiting' as const };
      const state: 'allowed' | 'denied' = decision === 'allow' ? 'allowed' : 'denied';
      if (!(await deviceCodes.decide(grant, userId, state))) throw errors.unknown_code();
      return { ...shown, state };
    },
  );
}

function html(reply: Reply, status: number, text: string): Reply {
  return reply
    .code(status)
    .headers({
      'content-security-policy': POLICY,
      // The code in the address goes to no other site, and no cache stores the page.
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    })
    .type('text/html; charset=utf-8')
    .send(text);
}
