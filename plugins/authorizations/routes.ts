/** A user's authorizations over HTTP: only by login and password, never by token. */
import {
  limited,
  type Auth,
  type RateLimitCategory,
  type Reply,
  type Request,
  type Routes,
} from 'plugboard/sdk';
import type { Authorizations } from './authorizations.js';
import { baseOf, linksOf, pageOf } from './paging.js';
import { authorizationUrl, present } from './present.js';
import {
  Authorization,
  AuthorizationList,
  ClientParams,
  CreateBody,
  FingerprintParams,
  GetOrCreateBody,
  IdParams,
  PageQuery,
  UpdateBody,
} from './schema.js';
import { userOf } from './user-of.js';

export interface RouteParts {
  readonly auth: Auth;
  /** Undefined when no plugin limits requests. */
  readonly limit: RateLimitCategory | undefined;
  readonly authorizations: Authorizations;
}

/** These responses hold tokens, and differ by caller. */
export const PRIVATE = {
  'cache-control': 'private, no-store',
  vary: 'Accept, Authorization, Cookie, X-GitHub-OTP',
} as const;

export function routes(app: Routes, { auth, limit, authorizations }: RouteParts): void {
  const hooks = limited(auth.guard('basicUser'), limit);
  // Old clients send JSON with the content type of forms.
  const config = { jsonForms: true };
  const one = '/authorizations/:id';

  app.get(
    '/authorizations',
    {
      ...hooks,
      schema: {
        summary: 'List the authorizations of the user that asks',
        querystring: PageQuery,
        response: { 200: AuthorizationList },
      },
    },
    async (request, reply) => {
      const page = pageOf(request.query);
      const { shown, total } = await authorizations.list(userOf(auth, request), page.page, page.perPage);
      const link = linksOf(request, page, total);
      reply.headers({ ...PRIVATE, ...(link !== undefined && { link }) });
      return shown.map((each) => present(each, baseOf(request)));
    },
  );

  app.post(
    '/authorizations',
    {
      ...hooks,
      config,
      schema: {
        summary: 'Create an authorization and its token',
        body: CreateBody,
        response: { 201: Authorization },
      },
    },
    async (request, reply) => {
      const created = await authorizations.create(userOf(auth, request), request.body);
      const base = baseOf(request);
      reply.headers({ ...PRIVATE, location: authorizationUrl(base, created.document.id) });
      return reply.code(201).send(present(created, base));
    },
  );

  const getOrCreate = async (
    request: Request,
    reply: Reply,
    [clientId, body]: [clientId: string, body: GetOrCreateBody],
  ): Promise<Authorization> => {
    const { created, ...shown } = await authorizations.getOrCreate(userOf(auth, request), clientId, body);
    const base = baseOf(request);
    reply.code(created ? 201 : 200);
    reply.headers({ ...PRIVATE, location: authorizationUrl(base, shown.document.id) });
    return present(shown, base);
  };
  const response = { 200: Authorization, 201: Authorization };

  app.put(
    '/authorizations/clients/:client_id',
    {
      ...hooks,
      config,
      schema: {
        summary: 'Read the authorization of an application, or create it',
        params: ClientParams,
        body: GetOrCreateBody,
        response,
      },
    },
    (request, reply) => getOrCreate(request, reply, [request.params.client_id, request.body]),
  );

  app.put(
    '/authorizations/clients/:client_id/:fingerprint',
    {
      ...hooks,
      config,
      schema: {
        summary: 'Read the authorization of an application with this fingerprint, or create it',
        params: FingerprintParams,
        body: GetOrCreateBody,
        response,
      },
    },
    (request, reply) => {
      const { client_id: clientId, fingerprint } = request.params;
      return getOrCreate(request, reply, [clientId, { ...request.body, fingerprint }]);
    },
  );

  app.get(
    one,
    {
      ...hooks,
      schema: { summary: 'Read an authorization', params: IdParams, response: { 200: Authorization } },
    },
    async (request, reply) => {
      reply.headers(PRIVATE);
      return present(await authorizations.read(userOf(auth, request), request.params.id), baseOf(request));
    },
  );

  // Clients that cannot send PATCH send POST.
  for (const method of ['PATCH', 'POST'] as const) {
    app.route({
      method,
      url: one,
      ...hooks,
      config,
      schema: {
        summary: 'Change the scopes or the note of an authorization',
        params: IdParams,
        body: UpdateBody,
        response: { 200: Authorization },
      },
      handler: async (request, reply) => {
        reply.headers(PRIVATE);
        const { params, body } = request;
        return present(await authorizations.update(userOf(auth, request), params.id, body), baseOf(request));
      },
    });
  }

  app.delete(
    one,
    { ...hooks, schema: { summary: 'Delete an authorization; its token stops working', params: IdParams } },
    async (request, reply) => {
      await authorizations.delete(userOf(auth, request), request.params.id);
      return reply.code(204).send();
    },
  );
}
