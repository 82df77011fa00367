/** The playground over HTTP. */
import {
  goneSignal,
  limited,
  principalId,
  type Auth,
  type Models,
  type RateLimit,
  type Request,
  type Routes,
} from 'plugboard/sdk';
import { exampleRoutes } from './examples.js';
import { improvePrompt } from '../improve/improve.js';
import type { Kept } from '../people.js';
import { presetRoutes } from './presets.js';
import { runRoutes } from './runs.js';
import type { Runner } from '../runs/runner.js';
import { ImproveBody, Improved } from '../schema.js';
import { versionRoutes } from './versions.js';

export interface RouteParts extends Kept {
  readonly auth: Auth;
  readonly limits: RateLimit | undefined;
  readonly models: Models;
  readonly runner: Runner;
}

export function routes(app: Routes, { auth, limits, models, runner, ...kept }: RouteParts): void {
  const chat = (scope: string) => limited(auth.guard('bearer', { scope }), limits?.category('chat'));
  const core = limited(auth.guard('bearer', { scope: 'presets' }), limits?.category('core'));
  const owner = (request: Request): string => principalId(auth.principal(request));

  app.post(
    '/api/playground/improve-prompt',
    {
      ...chat('improve'),
      schema: { summary: 'Have a model improve a prompt', body: ImproveBody, response: { 200: Improved } },
    },
    (request, reply) =>
      improvePrompt(models, request.body, { caller: auth.principal(request), signal: goneSignal(reply) }),
  );
  const parts = { ...kept, core, owner };
  presetRoutes(app, parts);
  versionRoutes(app, parts);
  exampleRoutes(app, parts);
  runRoutes(app, parts, { chat: chat('run'), auth, runner });
}
