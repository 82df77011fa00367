/** Runs of presets over HTTP. */
import { goneSignal, sendInTurns, type Auth, type Routes } from 'plugboard/sdk';
import type { KeptRoutes } from './parts.js';
import { PresetId } from '../schema.js';
import type { Runner } from '../runs/runner.js';
import { RunBody, RunList, RunWithAnswers } from '../runs/schema.js';

const ONE = '/api/playground/runs/:id';

export interface RunRoutes {
  /** The guard of model calls. */
  readonly chat: object;
  readonly auth: Auth;
  readonly runner: Runner;
}

export function runRoutes(
  app: Routes,
  { core, owner, presets, runs }: KeptRoutes,
  { chat, auth, runner }: RunRoutes,
): void {
  app.post(
    '/api/playground/presets/:id/run',
    {
      ...chat,
      schema: {
        summary: 'Run versions of a preset over models and examples',
        params: PresetId,
        body: RunBody,
        response: { 200: RunWithAnswers },
      },
    },
    async (request, reply) => {
      const caller = auth.principal(request);
      const run = await runner.run(caller, request.params.id, request.body, goneSignal(reply));
      return sendInTurns(reply, async () => run);
    },
  );

  app.get(
    '/api/playground/presets/:id/runs',
    {
      ...core,
      schema: {
        summary: 'List the runs of a preset, the newest first',
        params: PresetId,
        response: { 200: RunList },
      },
    },
    async (request, reply) =>
      sendInTurns(reply, async () => {
        await presets.get(owner(request), request.params.id);
        return { runs: await runs.list(owner(request), request.params.id) };
      }),
  );

  app.get(
    ONE,
    {
      ...core,
      schema: {
        summary: 'Read a run with its answers, also while it runs',
        params: PresetId,
        response: { 200: RunWithAnswers },
      },
    },
    async (request, reply) => sendInTurns(reply, () => runs.get(owner(request), request.params.id)),
  );

  app.delete(
    ONE,
    { ...core, schema: { summary: 'Delete a run with its answers', params: PresetId } },
    async (request, reply) => {
      await runs.delete(owner(request), request.params.id);
      return reply.code(204).send();
    },
  );
}
