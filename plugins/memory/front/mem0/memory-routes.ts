/** Single memories, search and lists. */
import { newId, Type, type Routes } from 'plugboard/sdk';
import { errors } from '../../engine/base/errors.js';
import { idsOf } from './addition.js';
import { readFilter } from './filter.js';
import { EVENT_STATES } from './memories.js';
import { pageOf, paged } from './paging.js';
import type { Mem0Place } from './place.js';
import { presentHistory, presentMemory } from './present.js';
import * as schema from './schema.js';

const MemoryId = Type.Object({ id: Type.String() });

export function mem0MemoryRoutes(app: Routes, place: Mem0Place): void {
  const { at, hooks, config, auth, mem0, reachOf } = place;
  app.get(
    at('/v1/ping'),
    {
      ...hooks,
      config,
      schema: {
        summary: 'Check the key, as mem0 clients do',
        tags: ['mem0'],
        response: { 200: schema.Ping },
      },
    },
    (request) => {
      const { owner } = reachOf(request);
      // With an address here, the JavaScript client would report who calls.
      const user_email = owner.replaceAll('@', ' at ');
      return { status: 'ok', org_id: owner, project_id: owner, user_email };
    },
  );

  app.post(
    at('/v3/memories/add'),
    {
      ...hooks,
      config,
      schema: {
        summary: 'Keep what was said',
        tags: ['mem0'],
        body: schema.AddBody,
        response: { 200: schema.Added },
      },
    },
    async (request) => {
      const reach = reachOf(request);
      // Without any id it would be shared by all users.
      const isNobodys = Object.keys(idsOf(request.body)).length === 0;
      if (reach.user === undefined && isNobodys) throw errors.mem0_entity_missing();
      const asked = await mem0.infer(reach, request.body);
      if (asked !== undefined) {
        const message = 'the messages are read for facts';
        return { event_id: asked._id, status: EVENT_STATES[asked.state], message, results: [] };
      }
      const added = await mem0.add(reach, request.body);
      const results = added.map(({ _id, content }) => ({ id: _id, memory: content, event: 'ADD' }));
      const event_id = added[0]?._id ?? newId();
      return { event_id, status: 'SUCCEEDED', message: `${added.length} memories added`, results };
    },
  );

  app.get(
    at('/v1/event/:id'),
    {
      ...hooks,
      config,
      schema: {
        summary: 'How far an addition is',
        tags: ['mem0'],
        params: MemoryId,
        response: { 200: schema.EventState },
      },
    },
    async (request) => {
      const { id } = request.params;
      const { state, made } = await mem0.event(reachOf(request), id);
      const results = made.map(({ _id, content }) => ({ id: _id, memory: content, event: 'ADD' }));
      return { id, status: EVENT_STATES[state], results };
    },
  );

  app.post(
    at('/v3/memories/search'),
    {
      ...hooks,
      config,
      schema: {
        summary: 'Find memories for a query',
        tags: ['mem0'],
        body: schema.SearchBody,
        response: { 200: schema.Found },
      },
    },
    async (request) => {
      const reach = reachOf(request);
      const { namesEntity } = readFilter(request.body.filters, { shared: true });
      if (reach.user === undefined && !namesEntity) throw errors.mem0_entity_missing();
      const found = await mem0.search(reach, request.body, auth.principal(request));
      return {
        results: found.map(({ entry, score }) => ({ ...presentMemory(entry), score })),
      };
    },
  );

  app.post(
    at('/v3/memories'),
    {
      ...hooks,
      config,
      schema: {
        summary: 'List memories, newest first',
        tags: ['mem0'],
        querystring: schema.PageQuery,
        body: schema.ListBody,
        response: { 200: schema.MemoryPage },
      },
    },
    async (request) => {
      const { filters, start_date: gte, end_date: lte } = request.body;
      const between = { ...(gte != null && { gte }), ...(lte != null && { lte }) };
      const asked = [filters ?? {}, ...(Object.keys(between).length > 0 ? [{ created_at: between }] : [])];
      const { entries, count } = await mem0.list(reachOf(request), asked, pageOf(request.query));
      return paged(request, count, entries.map(presentMemory));
    },
  );

  app.get(
    at('/v1/memories/:id'),
    {
      ...hooks,
      config,
      schema: {
        summary: 'Read a memory',
        tags: ['mem0'],
        params: MemoryId,
        response: { 200: schema.Mem0Memory },
      },
    },
    async (request) => presentMemory(await mem0.get(reachOf(request), request.params.id)),
  );

  app.get(
    at('/v1/memories/:id/history'),
    {
      ...hooks,
      config,
      schema: {
        summary: 'All that a memory has said',
        tags: ['mem0'],
        params: MemoryId,
        response: { 200: Type.Array(schema.Mem0Event) },
      },
    },
    async (request) => {
      const { id } = request.params;
      return presentHistory(id, await mem0.history(reachOf(request), id));
    },
  );

  app.put(
    at('/v1/memories/:id'),
    {
      ...hooks,
      config,
      schema: {
        summary: 'Change a memory',
        tags: ['mem0'],
        params: MemoryId,
        body: schema.ChangeBody,
        response: { 200: schema.Mem0Memory },
      },
    },
    async (request) => presentMemory(await mem0.change(reachOf(request), request.params.id, request.body)),
  );

  app.delete(
    at('/v1/memories/:id'),
    {
      ...hooks,
      config,
      schema: {
        summary: 'Delete a memory',
        tags: ['mem0'],
        params: MemoryId,
        querystring: Type.Object({ delete_linked: Type.Optional(Type.String({ maxLength: 10 })) }),
        response: { 200: schema.Done },
      },
    },
    async (request) => {
      const linked = /^(?:true|1)$/i.test(request.query.delete_linked ?? '');
      await mem0.remove(reachOf(request), request.params.id, { linked });
      return { message: 'Memory deleted successfully!' };
    },
  );

  app.delete(
    at('/v1/memories'),
    {
      ...hooks,
      config,
      schema: {
        summary: 'Delete all memories of a user, an agent, an application or a run',
        tags: ['mem0'],
        querystring: schema.DeleteQuery,
        response: { 200: schema.Done },
      },
    },
    async (request) => {
      if (Object.keys(request.query).length === 0) throw errors.mem0_entity_missing();
      const removed = await mem0.removeAll(reachOf(request), request.query);
      return { message: `${removed} memories deleted successfully!` };
    },
  );
}
