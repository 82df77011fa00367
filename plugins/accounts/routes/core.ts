/** Accounts and account tokens over HTTP. */
import { Type, type Auth, type Routes } from 'plugboard/sdk';
import { Account, AccountList, AccountToken } from '../answers/schema.js';
import { CODES, Refused } from '../errors/errors.js';
import type { Platforms } from '../platform/platforms.js';
import {
  AccountId,
  CloseBody,
  CreateBody,
  ListQuery,
  RetrieveQuery,
  TokenBody,
  UpdateBody,
  type AccountBody,
  type ListRequest,
} from '../schema/bodies.js';
import type { Accounts } from '../service/accounts.js';
import { listAccounts, metadataOf } from '../service/list.js';
import type { AccountStore } from '../service/store.js';
import type { TokenService } from '../service/tokens.js';
import { access, callerOf, json, platformOf, prefixOf, send, shapeOf, writing } from './request.js';

export interface CoreParts {
  readonly auth: Auth;
  readonly platforms: Platforms;
  readonly accounts: Accounts;
  readonly store: AccountStore;
  readonly tokens: TokenService;
  readonly defaultVersion: string;
}

/** Requests with a body take their parameters there. */
const NoQuery = Type.Object({}, { additionalProperties: false });

export function coreRoutes(app: Routes, parts: CoreParts): void {
  const { auth, platforms, accounts, store, tokens, defaultVersion } = parts;
  const onRequest = [auth.guard('bearer', { scope: 'accounts' }), access(auth, platforms, defaultVersion)];
  const list = '/v2/core/accounts';
  const one = `${list}/:id`;

  app.post(
    list,
    {
      ...writing(onRequest),
      schema: {
        summary: 'Create an account',
        querystring: NoQuery,
        body: CreateBody,
        response: { 200: Account },
      },
    },
    async (request, reply) => {
      const body = request.body as AccountBody;
      return send(reply, await accounts.create(callerOf(request, reply), body, shapeOf(request)));
    },
  );

  app.post(
    one,
    {
      ...writing(onRequest),
      schema: {
        summary: 'Update an account; what is left out stays, null clears',
        querystring: NoQuery,
        params: AccountId,
        body: UpdateBody,
        response: { 200: Account },
      },
    },
    async (request, reply) => {
      const body = request.body as AccountBody;
      const caller = callerOf(request, reply);
      return send(reply, await accounts.update(caller, request.params.id, body, shapeOf(request)));
    },
  );

  app.post(
    `${one}/close`,
    {
      ...writing(onRequest),
      schema: {
        summary: 'Close an account',
        querystring: NoQuery,
        params: AccountId,
        body: CloseBody,
        response: { 200: Account },
      },
    },
    async (request, reply) => {
      // The account is checked before the shape: a `null` body gets this far.
      const body = request.body as CloseBody | null;
      const configurations = body?.applied_configurations ?? [];
      const caller = callerOf(request, reply);
      return send(reply, await accounts.close(caller, request.params.id, configurations, shapeOf(request)));
    },
  );

  app.get(
    one,
    {
      onRequest,
      schema: {
        summary: 'Read an account',
        description: 'Parts of it are null unless `include` names them.',
        params: AccountId,
        querystring: RetrieveQuery,
        response: { 200: Account },
      },
    },
    async (request, reply) => {
      const caller = { platform: platformOf(request), request: undefined };
      const text = await accounts.retrieve(caller, request.params.id, request.query.include ?? []);
      return send(reply, { text, replayed: false });
    },
  );

  app.get(
    list,
    {
      onRequest,
      schema: {
        summary: 'List accounts, newest first',
        description:
          'Those that have all that is asked for: `applied_configurations`, a `contact_email`, and metadata, as `metadata[team]=blue`.',
        querystring: ListQuery,
        response: { 200: AccountList },
      },
    },
    async (request, reply) => {
      const { data, next, previous } = await listAccounts(store, platformOf(request), request.query);
      const url = (page: string | undefined): string | null =>
        page === undefined ? null : `${prefixOf(request)}${list}?${pageQuery(request.query, page)}`;
      return json(
        reply,
        JSON.stringify({ data, next_page_url: url(next), previous_page_url: url(previous) }),
      );
    },
  );

  app.post(
    '/v2/core/account_tokens',
    {
      ...writing(onRequest),
      schema: {
        summary: 'Create a token for an identity, usable once within ten minutes',
        querystring: NoQuery,
        body: TokenBody,
        response: { 200: AccountToken },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request, reply);
      shapeOf(request)();
      return send(reply, await tokens.create(caller, { of: 'account' }, request.body));
    },
  );

  app.get(
    '/v2/core/account_tokens/:id',
    {
      onRequest,
      schema: {
        summary: 'Read an account token',
        params: AccountId,
        querystring: NoQuery,
        response: { 200: AccountToken },
      },
    },
    async (request, reply) =>
      json(reply, await tokens.retrieve(platformOf(request), { of: 'account' }, request.params.id)),
  );

  app.get(
    '/v2/core/errors/:code',
    {
      onRequest,
      schema: {
        summary: 'Explain an error code',
        params: Type.Object({ code: Type.String() }),
        response: { 200: ErrorDescription },
      },
    },
    (request) => {
      const { code } = request.params;
      if (!Object.hasOwn(CODES, code))
        throw new Refused({ code: 'not_found', message: `there is no error code "${code.slice(0, 100)}"` });
      const { status, on, when } = CODES[code as keyof typeof CODES];
      return { object: 'error_description', code, status, on: [...on], when };
    },
  );
}

const ErrorDescription = Type.Object({
  object: Type.String(),
  code: Type.String(),
  status: Type.Integer(),
  on: Type.Array(Type.String(), { description: 'the requests that may answer it' }),
  when: Type.String(),
});

function pageQuery(request: ListRequest, page: string): string {
  const { limit, closed, contact_email: email, applied_configurations: names = [] } = request;
  const query = new URLSearchParams({ limit: String(limit), page });
  if (closed !== undefined) query.set('closed', String(closed));
  for (const [at, name] of names.entries()) query.set(`applied_configurations[${at}]`, name);
  if (email !== undefined) query.set('contact_email', email);
  for (const [key, value] of metadataOf(request)) query.set(`metadata[${key}]`, value);
  return query.toString();
}
