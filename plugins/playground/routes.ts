/** The playground over HTTP. */
import {
  goneSignal,
  limited,
  principalId,
  sendInTurns,
  type Auth,
  type Models,
  type RateLimit,
  type Request,
  type Routes,
} from 'plugboard/sdk';
import { improvePrompt } from './improve/improve.js';
import type { Presets } from './presets.js';
import { ImproveBody, Improved, Preset, PresetBody, PresetId, PresetList, PresetQuery } from './schema.js';

export interface RouteParts {
  readonly auth: Auth;
  readonly limits: RateLimit | undefined;
  readonly models: Models;
  readonly presets: Presets;
}

export function routes(app: Routes, { auth, limits, models, presets }: RouteParts): void {
  const chat = limited(auth.guard('bearer', { scope: 'improve' }), limits?.category('chat'));
  const core = limited(auth.guard('bearer', { scope: 'presets' }), limits?.category('core'));
  const owner = (request: Request): string => principalId(auth.principal(request));
  const list = '/api/playground/presets';
  const one = `${list}/:id`;

  app.post(
    '/api/playground/improve-prompt',
    {
      ...chat,
      schema: { summary: 'Have a model improve a prompt', body: ImproveBody, response: { 200: Improved } },
    },
    (request, reply) =>
      improvePrompt(models, request.body, { caller: auth.principal(request), signal: goneSignal(reply) }),
  );

  app.get(
    list,
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
    list,
    { ...core, schema: { summary: 'Create a preset', body: PresetBody, response: { 201: Preset } } },
    async (request, reply) => reply.code(201).send(await presets.create(owner(request), request.body)),
  );

  app.get(
    one,
    { ...core, schema: { summary: 'Read a preset', params: PresetId, response: { 200: Preset } } },
    (request) => presets.get(owner(request), request.params.id),
  );

  app.put(
    one,
    {
      ...core,
      schema: { summary: 'Replace a preset', params: PresetId, body: PresetBody, response: { 200: Preset } },
    },
    (request) => presets.replace(owner(request), request.params.id, request.body),
  );

  app.delete(
    one,
    { ...core, schema: { summary: 'Delete a preset', params: PresetId } },
    async (request, reply) => {
      await presets.delete(owner(request), request.params.id);
      return reply.code(204).send();
    },
  );
}
