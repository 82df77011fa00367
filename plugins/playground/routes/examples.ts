/** Examples of presets over HTTP. */
import type { Routes } from 'plugboard/sdk';
import type { KeptRoutes } from './parts.js';
import { PresetId } from '../schema.js';
import { ExampleSet } from '../examples/schema.js';

const PATH = '/api/playground/presets/:id/examples';

export function exampleRoutes(app: Routes, { core, owner, examples }: KeptRoutes): void {
  app.get(
    PATH,
    {
      ...core,
      schema: { summary: 'Read the examples of a preset', params: PresetId, response: { 200: ExampleSet } },
    },
    async (request) => ({ examples: await examples.get(owner(request), request.params.id) }),
  );

  app.put(
    PATH,
    {
      ...core,
      schema: {
        summary: 'Replace the examples of a preset',
        params: PresetId,
        body: ExampleSet,
        response: { 200: ExampleSet },
      },
    },
    async (request) => {
      await examples.replace(owner(request), request.params.id, request.body.examples);
      return request.body;
    },
  );
}
