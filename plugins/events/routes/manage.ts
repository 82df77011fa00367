/** Management over HTTP: publish events and issue events, change and read the directory. */
import type { Auth, Routes } from 'plugboard/sdk';
import { DirectoryBatch } from '../manage/batch.js';
import type { Management } from '../manage/management.js';
import {
  DirectoryChanged,
  DirectoryPage,
  DirectoryPart,
  DirectoryQuery,
  NewEvents,
  NewIssueEvents,
  Published,
  PublishedIssueEvents,
} from '../schema.js';

/** A thousand events with payloads. */
const BODY_LIMIT = 8 * 1024 * 1024;

export function managementRoutes(app: Routes, auth: Auth, management: Management): void {
  const onRequest = auth.guard(['management', 'bearer'], { scope: 'events:write' });

  app.post(
    '/api/events',
    {
      onRequest,
      bodyLimit: BODY_LIMIT,
      schema: { summary: 'Publish events', body: NewEvents, response: { 201: Published } },
    },
    async (request, reply) => {
      const { ids, ...counts } = await management.publisher.publish(request.body.events);
      return reply.code(201).send({ ids: [...ids], ...counts });
    },
  );

  app.post(
    '/api/events/issues',
    {
      onRequest,
      bodyLimit: BODY_LIMIT,
      schema: {
        summary: 'Publish issue events of a repository',
        body: NewIssueEvents,
        response: { 201: PublishedIssueEvents },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await management.publishIssueEvents(request.body.repository, request.body.events)),
  );

  app.post(
    '/api/events/directory',
    {
      onRequest,
      schema: {
        summary: 'Change the directory: accounts, repositories, and who follows, watches and belongs',
        body: DirectoryBatch,
        response: { 200: DirectoryChanged },
      },
    },
    (request) => management.changeDirectory(request.body),
  );

  app.get(
    '/api/events/directory/:part',
    {
      onRequest,
      schema: {
        summary: 'List a part of the directory',
        params: DirectoryPart,
        querystring: DirectoryQuery,
        response: { 200: DirectoryPage },
      },
    },
    (request) => management.listDirectory(request.params.part, request.query.after),
  );
}
