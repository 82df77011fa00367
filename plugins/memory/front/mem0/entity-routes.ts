/** Users, agents, apps and runs that have memories. */
import { Type, type Routes } from 'plugboard/sdk';
import { ENTITY_FIELDS, isEntityKind } from './entities.js';
import { invalid } from './invalid.js';
import { pageOf, paged } from './paging.js';
import type { Mem0Place } from './place.js';
import * as schema from './schema.js';

export function mem0EntityRoutes(app: Routes, { at, hooks, config, mem0, reachOf }: Mem0Place): void {
  app.get(
    at('/v1/entities'),
    {
      ...hooks,
      config,
      schema: {
        summary: 'List who has memories',
        tags: ['mem0'],
        querystring: schema.PageQuery,
        response: { 200: schema.EntityPage },
      },
    },
    async (request) => {
      const reach = reachOf(request);
      const all = await mem0.entities(reach);
      const { skip, limit } = pageOf(request.query);
      const results = all.slice(skip, skip + limit).map(({ kind, name, memories, since, until }) => ({
        id: `${kind}:${name}`,
        name,
        type: kind,
        total_memories: memories,
        created_at: since.toISOString(),
        updated_at: until.toISOString(),
        owner: reach.owner,
      }));
      return paged(request, all.length, results);
    },
  );

  // Older clients use v1.
  for (const version of ['v1', 'v2'])
    app.delete(
      at(`/${version}/entities/:kind/:name`),
      {
        ...hooks,
        config,
        schema: {
          summary: 'Delete all memories of one',
          tags: ['mem0'],
          params: Type.Object({ kind: Type.String(), name: Type.String() }),
          response: { 200: schema.Done },
        },
      },
      async (request) => {
        const { kind, name } = request.params;
        if (!isEntityKind(kind)) throw invalid(`"${kind}" is none of user, agent, app and run`);
        await mem0.removeAll(reachOf(request), { [ENTITY_FIELDS[kind]]: name });
        return { message: 'Entity deleted successfully!' };
      },
    );
}
