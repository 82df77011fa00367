/** Persons of accounts, and their tokens, over HTTP. */
import { decodeCursor, encodeCursor, Type, type Auth, type Request, type Routes } from 'plugboard/sdk';
import { Refused } from '../errors/errors.js';
import type { Persons } from '../service/persons.js';
import {
  DeletedPerson,
  Person,
  PersonBody,
  PersonId,
  PersonList,
  Persons as PersonPage,
  PersonToken,
  PersonTokenBody,
  PersonTokenId,
} from '../persons/schema.js';
import type { Platforms } from '../platform/platforms.js';
import { AccountId } from '../schema/bodies.js';
import type { TokenService } from '../service/tokens.js';
import { access, callerOf, json, platformOf, prefixOf, send, shapeOf, writing } from './request.js';

export interface PersonRouteParts {
  readonly auth: Auth;
  readonly platforms: Platforms;
  readonly persons: Persons;
  readonly tokens: TokenService;
  readonly defaultVersion: string;
}

const NoQuery = Type.Object({}, { additionalProperties: false });

export function personRoutes(app: Routes, parts: PersonRouteParts): void {
  const { auth, platforms, persons, tokens, defaultVersion } = parts;
  const onRequest = [auth.guard('bearer', { scope: 'accounts' }), access(auth, platforms, defaultVersion)];
  const list = '/v2/core/accounts/:id/persons';
  const one = `${list}/:person`;

  app.post(
    list,
    {
      ...writing(onRequest),
      schema: {
        summary: 'Add a person to an account',
        querystring: NoQuery,
        params: AccountId,
        body: PersonBody,
        response: { 200: Person },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request, reply);
      return send(reply, await persons.create(caller, request.params.id, request.body, shapeOf(request)));
    },
  );

  app.post(
    one,
    {
      ...writing(onRequest),
      schema: {
        summary: 'Update a person; what is left out stays, null clears',
        querystring: NoQuery,
        params: PersonId,
        body: PersonBody,
        response: { 200: Person },
      },
    },
    async (request, reply) => {
      const { id, person } = request.params;
      const caller = callerOf(request, reply);
      return send(reply, await persons.update(caller, id, person, request.body, shapeOf(request)));
    },
  );

  app.get(
    one,
    {
      onRequest,
      schema: {
        summary: 'Read a person',
        params: PersonId,
        querystring: NoQuery,
        response: { 200: Person },
      },
    },
    async (request, reply) => {
      const { id, person } = request.params;
      return json(reply, await persons.retrieve(platformOf(request), id, person));
    },
  );

  app.get(
    list,
    {
      onRequest,
      schema: {
        summary: 'List the persons of an account, newest first',
        params: AccountId,
        querystring: PersonList,
        response: { 200: PersonPage },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const all = await persons.list(platformOf(request), id);
      const { limit, page } = request.query;
      const from = page === undefined ? 0 : placeOf(page);
      const next = all.length > from + limit ? pageUrl(request, from + limit, limit) : null;
      const data = all.slice(from, from + limit);
      return json(reply, JSON.stringify({ data, next_page_url: next, previous_page_url: null }));
    },
  );

  app.delete(
    one,
    {
      onRequest,
      schema: { summary: 'Delete a person', params: PersonId, response: { 200: DeletedPerson } },
    },
    async (request, reply) => {
      const { id, person } = request.params;
      return send(reply, await persons.remove(callerOf(request, reply), id, person));
    },
  );

  app.post(
    '/v2/core/accounts/:id/person_tokens',
    {
      ...writing(onRequest),
      schema: {
        summary: 'Create a token for a person of an account, usable once within ten minutes',
        querystring: NoQuery,
        params: AccountId,
        body: PersonTokenBody,
        response: { 200: PersonToken },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request, reply);
      shapeOf(request)();
      const account = request.params.id;
      await persons.assertAccount(caller.platform, account);
      return send(reply, await tokens.create(caller, { of: 'person', account }, request.body));
    },
  );

  app.get(
    '/v2/core/accounts/:id/person_tokens/:token',
    {
      onRequest,
      schema: {
        summary: 'Read a person token',
        params: PersonTokenId,
        querystring: NoQuery,
        response: { 200: PersonToken },
      },
    },
    async (request, reply) => {
      const { id: account, token } = request.params;
      return json(reply, await tokens.retrieve(platformOf(request), { of: 'person', account }, token));
    },
  );
}

/** The offset of a page; an account has few persons. */
function placeOf(page: string): number {
  const place = decodeCursor(page);
  if (typeof place === 'number' && Number.isSafeInteger(place) && place > 0) return place;
  throw new Refused({ code: 'invalid_fields', message: 'page must come from next_page_url' });
}

function pageUrl(request: Request, from: number, limit: number): string {
  const path = new URL(request.url, 'http://localhost').pathname;
  const own = path.slice(Math.max(0, path.indexOf('/v2/')));
  const query = new URLSearchParams({ limit: String(limit), page: encodeCursor(from) });
  return `${prefixOf(request)}${own}?${query.toString()}`;
}
