/** Users over HTTP. */
import type { Auth, Request, Routes } from 'plugboard/sdk';
import type { Sessions } from '../admin/sessions.js';
import { ALL, allows } from '../allows.js';
import { errors } from '../errors.js';
import { Enrolment, NewUserBody, User, UserChangesBody, UserList, UserParams, UserQuery } from '../schema.js';
import type { ApiKeys } from '../keys/api-keys.js';
import type { Erasures } from '../people/erasures.js';
import { personOf } from '../people/person.js';
import type { OneTimePasswords } from '../users/one-time-passwords.js';
import type { Users } from '../users/users.js';

export interface UserParts {
  readonly auth: Auth;
  readonly users: Users;
  readonly otp: OneTimePasswords;
  readonly sessions: Sessions;
  readonly erasures: Erasures;
  readonly keys: ApiKeys;
}

export function userRoutes(app: Routes, { auth, users, otp, sessions, erasures, keys }: UserParts): void {
  const administratorOnly = (request: Request): void => {
    if (!allows(auth.principal(request), ALL)) throw errors.administrator_only();
  };
  /** A management-only key could otherwise take the place of an administrator. */
  const mayChange = async (request: Request, id: number): Promise<void> => {
    if ((await users.operator(id)) !== null) administratorOnly(request);
  };
  const onRequest = auth.guard('management');
  const tags = ['Users'];
  const params = UserParams;

  app.get(
    '/api/users',
    {
      onRequest,
      schema: {
        summary: 'List and search users, by login',
        tags,
        querystring: UserQuery,
        response: { 200: UserList },
      },
    },
    async (request) => users.list(request.query),
  );

  app.post(
    '/api/users',
    { onRequest, schema: { summary: 'Create a user', tags, body: NewUserBody, response: { 201: User } } },
    async (request, reply) => {
      if (request.body.access != null) administratorOnly(request);
      return reply.code(201).send(await users.create(request.body));
    },
  );

  app.get(
    '/api/users/:id',
    { onRequest, schema: { summary: 'Read a user', tags, params, response: { 200: User } } },
    async (request) => users.read(request.params.id),
  );

  app.patch(
    '/api/users/:id',
    {
      onRequest,
      schema: { summary: 'Change a user', tags, params, body: UserChangesBody, response: { 200: User } },
    },
    async (request) => {
      const { id } = request.params;
      if (request.body.access === undefined) await mayChange(request, id);
      else administratorOnly(request);
      const user = await users.change(id, request.body);
      // A new password or another access ends the existing sessions.
      const { password, access } = request.body;
      if (password !== undefined || access !== undefined) await sessions.endOthers(id, undefined);
      return user;
    },
  );

  app.delete(
    '/api/users/:id',
    { onRequest, schema: { summary: 'Delete a user, and what plugins keep of the person', tags, params } },
    async (request, reply) => {
      await mayChange(request, request.params.id);
      const { id } = await users.read(request.params.id);
      await erasures.erase(await personOf({ id }, keys));
      return reply.code(204).send();
    },
  );

  app.post(
    '/api/users/:id/otp',
    {
      onRequest,
      schema: {
        summary: 'Turn two-factor authentication on; the secret is shown once',
        tags,
        params,
        response: { 201: Enrolment },
      },
    },
    async (request, reply) => {
      await mayChange(request, request.params.id);
      return reply.code(201).send(await otp.enrol(request.params.id));
    },
  );

  app.delete(
    '/api/users/:id/otp',
    {
      onRequest,
      schema: { summary: 'Turn two-factor authentication off', tags, params, response: { 200: User } },
    },
    async (request) => {
      await mayChange(request, request.params.id);
      return otp.disable(request.params.id);
    },
  );
}
