/** `/api/memory`: create, list, read, update, delete. */
import { limited, type Auth, type RateLimitCategory, type Routes } from 'plugboard/sdk';
import { present } from '../entries/document.js';
import type { Entries } from '../entries/entries.js';
import type { Listing } from '../retrieval/listing.js';
import { Deleted, Entry, EntryId, EntryPage, EntryPatch, ListQuery, NewEntry } from '../schema/entries.js';

export interface EntryRoutes {
  readonly auth: Auth;
  /** Undefined when no plugin limits requests. */
  readonly limit: RateLimitCategory | undefined;
  readonly entries: Entries;
  readonly listing: Listing;
}

export function entryRoutes(app: Routes, { auth, limit, entries, listing }: EntryRoutes): void {
  const hooks = limited(auth.guard('management'), limit);

  app.get(
    '/api/memory',
    { ...hooks, schema: { tags: ['Memory'], querystring: ListQuery, response: { 200: EntryPage } } },
    (request) => listing.page(request.query),
  );

  app.post(
    '/api/memory',
    { ...hooks, schema: { tags: ['Memory'], body: NewEntry, response: { 200: Entry, 201: Entry } } },
    async (request, reply) => {
      const { entry, created } = await entries.put(request.body);
      return reply.code(created ? 201 : 200).send(present(entry));
    },
  );

  app.get(
    '/api/memory/:id',
    { ...hooks, schema: { tags: ['Memory'], params: EntryId, response: { 200: Entry } } },
    async (request) => present(await entries.get(request.params.id)),
  );

  app.put(
    '/api/memory/:id',
    { ...hooks, schema: { tags: ['Memory'], params: EntryId, body: EntryPatch, response: { 200: Entry } } },
    async (request) => present(await entries.update(request.params.id, request.body)),
  );

  app.delete(
    '/api/memory/:id',
    { ...hooks, schema: { tags: ['Memory'], params: EntryId, response: { 200: Deleted } } },
    async (request) => {
      await entries.remove(request.params.id);
      return { success: true };
    },
  );
}
