/** The router over HTTP: requests to the service and back. */
import { principalId, type Routes } from 'plugboard/sdk';
import { conversationRoutes } from './conversation-routes.js';
import { allowanceRoutes } from './allowance-routes.js';
import { endpointRoutes } from './endpoint-routes.js';
import { googleRoutes } from './google-routes.js';
import { modelRoutes } from './model-routes.js';
import { ollamaRoutes } from './ollama-routes.js';
import { errors } from './errors.js';
import type { RouteParts } from './route-parts.js';
import { transcriptionRoutes } from './transcription-routes.js';
import { CallsQuery, TextsQuery, UsageQuery } from './bodies.js';
import { upstreamRoutes } from './upstream-routes.js';
import { listCalls, type CallPage } from './usage/calls.js';
import { dayRange, usageRange } from './usage/range.js';
import { summarize } from './usage/summary.js';

/** Callers of a model may list the models and read their own usage. */
const CALLS = ['chat', 'embeddings', 'rerank', 'images', 'moderations', 'transcriptions'];

/** The `openai` client's default base, the prefix of our other routes, and the base of Azure's v1 API. */
const PREFIXES = ['/v1', '/api/v1', '/openai/v1'] as const;

export function routes(app: Routes, parts: RouteParts): void {
  modelRoutes(app, PREFIXES, parts, CALLS);
  endpointRoutes(app, PREFIXES, parts);
  conversationRoutes(app, PREFIXES, parts);
  googleRoutes(app, parts);
  ollamaRoutes(app, parts, CALLS);
  transcriptionRoutes(app, PREFIXES, parts);
  upstreamRoutes(app, parts);
  usageRoutes(app, parts);
  allowanceRoutes(app, parts, CALLS);
}

function usageRoutes(app: Routes, { auth, clock, ledger, usage, keepDays, texts }: RouteParts): void {
  const readUsage = auth.guard('management', { scope: 'usage' });

  app.get(
    '/api/usage',
    {
      onRequest: readUsage,
      schema: { summary: 'Add up calls by model, key, day or upstream', querystring: UsageQuery },
    },
    async ({ query }) => {
      const now = clock.now();
      const range = usageRange(query, now, keepDays);
      await ledger.flush();
      return summarize(usage, range, query, now);
    },
  );

  const calls = async ({ day, limit, after, ...query }: CallsQuery): Promise<CallPage> => {
    const range = usageRange(day === undefined ? query : dayRange(day), clock.now(), keepDays);
    await ledger.flush();
    return listCalls(usage, range, query, { limit, after });
  };

  app.get(
    '/api/usage/calls',
    {
      onRequest: readUsage,
      schema: { summary: 'List calls one by one, newest first', querystring: CallsQuery },
    },
    ({ query }) => calls(query),
  );

  app.get(
    '/api/usage/texts',
    {
      onRequest: readUsage,
      schema: { summary: 'Read what was asked and answered in a call', querystring: TextsQuery },
    },
    async (request) => {
      const asker = auth.principal(request);
      if (asker.kind === 'session' && asker.access !== 'admin') throw errors.admins_alone();
      if (texts === undefined) throw errors.texts_off();
      const { key, at } = request.query;
      return { data: await texts.find(key, new Date(at)) };
    },
  );

  // A key that may call may also read its own calls, and no others.
  const own = auth.guard('bearer', { scope: CALLS });
  app.get(
    '/api/usage/own',
    {
      onRequest: own,
      schema: { summary: 'List the calls of the key that asks, newest first', querystring: CallsQuery },
    },
    (request) => calls({ ...request.query, key: principalId(auth.principal(request)) }),
  );
}
