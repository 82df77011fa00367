/** Users over HTTP. */
import type { Auth, Routes } from 'plugboard/sdk';
import { Enrolment, NewUserBody, User, UserChangesBody, UserList, UserParams, UserQuery } from '../schema.js';
import type { Users } from '../users/users.js';

export function userRoutes(app: Routes, { auth, users }: { auth: Auth; users: Users }): void {
  const onRequest = auth.guard('management');
  const tags = ['Users'];
  const params = UserParams;

  app.get(
    '/api/users',
    {
      onRequest,
      schema: { summary: 'List users by login', tags, querystring: UserQuery, response: { 200: UserList } },
    },
    async (request) => users.list(request.query),
  );

  app.post(
    '/api/users',
    { onRequest, schema: { summary: 'Create a user', tags, body: NewUserBody, response: { 201: User } } },
    async (request, reply) => reply.code(201).send(await users.create(request.body)),
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
    async (request) => users.change(request.params.id, request.body),
  );

  app.delete(
    '/api/users/:id',
    { onRequest, schema: { summary: 'Delete a user', tags, params } },
    async (request, reply) => {
      await users.delete(request.params.id);
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
    async (request, reply) => reply.code(201).send(await users.enrol(request.params.id)),
  );

  app.delete(
    '/api/users/:id/otp',
    {
      onRequest,
      schema: { summary: 'Turn two-factor authentication off', tags, params, response: { 200: User } },
    },
    async (request) => users.disableOtp(request.params.id),
  );
}
