/** Applications over HTTP. */
import type { Auth, Routes } from 'plugboard/sdk';
import type { Applications } from '../apps/applications.js';
import { App, AppChangesBody, AppList, IdParams, IssuedApp, NewAppBody } from '../schema.js';

export function appRoutes(app: Routes, { auth, apps }: { auth: Auth; apps: Applications }): void {
  const onRequest = auth.guard('management');
  const tags = ['Applications'];
  const params = IdParams;

  app.get(
    '/api/apps',
    { onRequest, schema: { summary: 'List applications by name', tags, response: { 200: AppList } } },
    async () => ({ apps: await apps.list() }),
  );

  app.post(
    '/api/apps',
    {
      onRequest,
      schema: {
        summary: 'Register an application; its secret is shown once',
        tags,
        body: NewAppBody,
        response: { 201: IssuedApp },
      },
    },
    async (request, reply) => reply.code(201).send(await apps.create(request.body)),
  );

  app.get(
    '/api/apps/:id',
    { onRequest, schema: { summary: 'Read an application', tags, params, response: { 200: App } } },
    async (request) => apps.read(request.params.id),
  );

  app.patch(
    '/api/apps/:id',
    {
      onRequest,
      schema: {
        summary: 'Change an application',
        tags,
        params,
        body: AppChangesBody,
        response: { 200: App },
      },
    },
    async (request) => apps.change(request.params.id, request.body),
  );

  app.post(
    '/api/apps/:id/secret',
    {
      onRequest,
      schema: {
        summary: 'Replace the client secret; the new one is shown once',
        tags,
        params,
        response: { 200: IssuedApp },
      },
    },
    async (request) => apps.renewSecret(request.params.id),
  );

  app.delete(
    '/api/apps/:id',
    { onRequest, schema: { summary: 'Delete an application', tags, params } },
    async (request, reply) => {
      await apps.delete(request.params.id);
      return reply.code(204).send();
    },
  );
}
