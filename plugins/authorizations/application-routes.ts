/** An application's tokens over HTTP: Basic with its client id and secret. */
import {
  limited,
  type Application,
  type Auth,
  type RateLimitCategory,
  type Request,
  type Routes,
} from 'plugboard/sdk';
import type { ApplicationTokens } from './application-tokens.js';
import { errors } from './errors.js';
import { baseOf } from './paging.js';
import { presentChecked } from './present.js';
import { PRIVATE } from './routes.js';
import { CheckedAuthorization, ClientParams, TokenBody, TokenParams } from './schema.js';

export interface ApplicationRouteParts {
  readonly auth: Auth;
  readonly limit: RateLimitCategory | undefined;
  readonly tokens: ApplicationTokens;
}

export function applicationRoutes(app: Routes, { auth, limit, tokens }: ApplicationRouteParts): void {
  const hooks = limited(auth.guard('basicApp'), limit);
  const response = { 200: CheckedAuthorization };
  /** The authenticated application; others' paths are not found. */
  const applicationOf = (request: Request, clientId: string): Application => {
    const principal = auth.principal(request);
    if (principal.kind === 'app' && principal.app.clientId === clientId) return principal.app;
    throw errors.authorization_not_found();
  };

  const path = '/applications/:client_id/tokens/:access_token';

  app.get(
    path,
    {
      ...hooks,
      schema: {
        summary: 'Check a token of the application',
        deprecated: true,
        params: TokenParams,
        response,
      },
    },
    async (request, reply) => {
      const { client_id: clientId, access_token: token } = request.params;
      reply.headers(PRIVATE);
      return presentChecked(await tokens.check(applicationOf(request, clientId), token), baseOf(request));
    },
  );

  app.post(
    path,
    {
      ...hooks,
      schema: {
        summary: 'Replace a token of the application',
        deprecated: true,
        params: TokenParams,
        response,
      },
    },
    async (request, reply) => {
      const { client_id: clientId, access_token: token } = request.params;
      reply.headers(PRIVATE);
      return presentChecked(await tokens.reset(applicationOf(request, clientId), token), baseOf(request));
    },
  );

  app.delete(
    path,
    {
      ...hooks,
      schema: { summary: 'Revoke a token of the application', deprecated: true, params: TokenParams },
    },
    async (request, reply) => {
      const { client_id: clientId, access_token: token } = request.params;
      await tokens.revoke(applicationOf(request, clientId), token);
      return reply.code(204).send();
    },
  );

  app.delete(
    '/applications/:client_id/tokens',
    { ...hooks, schema: { summary: 'Revoke all tokens of the application', params: ClientParams } },
    async (request, reply) => {
      await tokens.revokeAll(applicationOf(request, request.params.client_id));
      return reply.code(204).send();
    },
  );

  // The same with the token in the body, as later clients send it: a URL may end up in a proxy's log.
  const inBody = '/applications/:client_id/token';
  const schema = { params: ClientParams, body: TokenBody };

  app.post(
    inBody,
    { ...hooks, schema: { summary: 'Check a token of the application', ...schema, response } },
    async (request, reply) => {
      const by = applicationOf(request, request.params.client_id);
      reply.headers(PRIVATE);
      return presentChecked(await tokens.check(by, request.body.access_token), baseOf(request));
    },
  );

  app.patch(
    inBody,
    { ...hooks, schema: { summary: 'Replace a token of the application', ...schema, response } },
    async (request, reply) => {
      const by = applicationOf(request, request.params.client_id);
      reply.headers(PRIVATE);
      return presentChecked(await tokens.reset(by, request.body.access_token), baseOf(request));
    },
  );

  app.delete(
    inBody,
    { ...hooks, schema: { summary: 'Revoke a token of the application', ...schema } },
    async (request, reply) => {
      await tokens.revoke(applicationOf(request, request.params.client_id), request.body.access_token);
      return reply.code(204).send();
    },
  );

  app.delete(
    '/applications/:client_id/grant',
    {
      ...hooks,
      schema: {
        summary: 'Revoke all tokens of the application that the user of this one gave it',
        ...schema,
      },
    },
    async (request, reply) => {
      const by = applicationOf(request, request.params.client_id);
      await tokens.revokeGrant(by, request.body.access_token);
      return reply.code(204).send();
    },
  );
}
