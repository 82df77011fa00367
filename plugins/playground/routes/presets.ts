/** Presets over HTTP. */
import { sendInTurns, type Routes } from 'plugboard/sdk';
import type { KeptRoutes } from './parts.js';
import { Preset, PresetBody, PresetId, PresetList, PresetQuery } from '../schema.js';

const LIST = '/api/playground/presets';
const ONE = `${LIST}/:id`;

export function presetRoutes(
  app: Routes,
  { core, owner, presets, versions, examples, runs }: KeptRoutes,
): void {
  app.get(
    LIST,
    {
      ...core,
      schema: {
        summary: 'List the presets of the key that asks',
        querystring: PresetQuery,
        response: { 200: PresetList },
      },
    },
    async (request, reply) => sendInTurns(reply, () => presets.list(owner(request), request.query)),
  );

  app.post(
    LIST,
    { ...core, schema: { summary: 'Create a preset', body: PresetBody, response: { 201: Preset } } },
    async (request, reply) => reply.code(201).send(await presets.create(owner(request), request.body)),
  );

  app.get(
    ONE,
    { ...core, schema: { summary: 'Read a preset', params: PresetId, response: { 200: Preset } } },
    (request) => presets.get(owner(request), request.params.id),
  );

  app.put(
    ONE,
    {
      ...core,
      schema: { summary: 'Replace a preset', params: PresetId, body: PresetBody, response: { 200: Preset } },
    },
    (request) => presets.replace(owner(request), request.params.id, request.body),
  );

  app.delete(
    ONE,
    { ...core, schema: { summary: 'Delete a preset with all that belongs to it', params: PresetId } },
    async (request, reply) => {
      const { id } = request.params;
      await presets.get(owner(request), id);
      // The preset goes last: after an interruption it can be deleted again.
      for (const kept of [runs, examples, versions]) await kept.deleteOf(id);
      await presets.delete(owner(request), id);
      return reply.code(204).send();
    },
  );
}
