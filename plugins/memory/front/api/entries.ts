/** `/api/memory`: create, list, read, update, delete. */
import {
  limited,
  sendInTurns,
  type Auth,
  type RateLimitCategory,
  type Request,
  type Routes,
} from 'plugboard/sdk';
import type { EntryDocument } from '../../engine/entries/document.js';
import type { Entries } from '../../engine/entries/entries.js';
import type { Listing } from './listing.js';
import { EntryPatch, NewEntry } from '../../engine/entries/entry.js';
import { Deleted, Entry, EntryHistory, EntryId, EntryPage, ListQuery } from '../schema/entries.js';
import { present } from './present.js';
import { assertReached, guardOwner, isReached, reachOf, within } from './owner.js';

export interface EntryRoutes {
  readonly auth: Auth;
  /** Undefined if no plugin limits requests. */
  readonly limit: RateLimitCategory | undefined;
  readonly entries: Entries;
  readonly listing: Listing;
}

export function entryRoutes(app: Routes, { auth, limit, entries, listing }: EntryRoutes): void {
  const hooks = limited(guardOwner(auth), limit);

  const reached = async (request: Request, to: 'read' | 'change'): Promise<EntryDocument> => {
    const entry = await entries.get((request.params as { id: string }).id);
    assertReached(reachOf(auth, request), entry, to);
    return entry;
  };

  app.get(
    '/api/memory',
    {
      ...hooks,
      schema: {
        summary: 'List entries, newest first, or those that match `q`',
        tags: ['Memory'],
        querystring: ListQuery,
        response: { 200: EntryPage },
      },
    },
    async (request, reply) => {
      const query = within(reachOf(auth, request), request.query);
      return sendInTurns(reply, () => listing.page(query));
    },
  );

  app.post(
    '/api/memory',
    {
      ...hooks,
      schema: {
        summary: 'Store an entry; the key makes it one that is replaced',
        tags: ['Memory'],
        body: NewEntry,
        response: { 200: Entry, 201: Entry },
      },
    },
    async (request, reply) => {
      const body = within(reachOf(auth, request), request.body);
      const { supersedes } = body;
      if (supersedes !== undefined)
        return reply.code(201).send(present(await entries.supersede({ ...body, supersedes })));
      const { entry, created } = await entries.put(body);
      return reply.code(created ? 201 : 200).send(present(entry));
    },
  );

  app.get(
    '/api/memory/:id',
    {
      ...hooks,
      schema: { summary: 'Read an entry', tags: ['Memory'], params: EntryId, response: { 200: Entry } },
    },
    async (request) => present(await reached(request, 'read')),
  );

  app.get(
    '/api/memory/:id/history',
    {
      ...hooks,
      schema: {
        summary: 'Show what took the place of an entry, and what it took the place of',
        tags: ['Memory'],
        params: EntryId,
        response: { 200: EntryHistory },
      },
    },
    async (request) => {
      const reach = reachOf(auth, request);
      const history = await entries.history((await reached(request, 'read'))._id);
      return { data: history.filter((entry) => isReached(reach, entry, 'read')).map(present) };
    },
  );

  app.put(
    '/api/memory/:id',
    {
      ...hooks,
      schema: {
        summary: 'Change an entry',
        tags: ['Memory'],
        params: EntryId,
        body: EntryPatch,
        response: { 200: Entry },
      },
    },
    async (request) => {
      await reached(request, 'change');
      return present(await entries.update(request.params.id, request.body));
    },
  );

  app.delete(
    '/api/memory/:id',
    {
      ...hooks,
      schema: { summary: 'Delete an entry', tags: ['Memory'], params: EntryId, response: { 200: Deleted } },
    },
    async (request) => {
      await reached(request, 'change');
      await entries.remove(request.params.id);
      return { success: true };
    },
  );
}
