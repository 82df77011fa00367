/** `/api/memory/...`: operations on the engine as a whole. */
import {
  limited,
  type Auth,
  type Clock,
  type Jobs,
  type Models,
  type RateLimitCategory,
  type Routes,
} from 'plugboard/sdk';
import { live } from '../../engine/entries/document.js';
import type { Entries } from '../../engine/entries/entries.js';
import { FLAG_ALL, type Reindex } from '../../engine/maintenance/reindex.js';
import type { Summarizing } from '../../engine/maintenance/summarizing.js';
import { Summarized } from '../../engine/maintenance/summarized.js';
import type { Question } from '../../engine/retrieval/question.js';
import type { Retrieval } from '../../engine/retrieval/retrieval.js';
import {
  EmbeddingProviders,
  EngineStatus,
  Health,
  Preview,
  PreviewQuery,
  ReindexBody,
  Reindexed,
  Restored,
  SummarizeBody,
} from '../schema/engine.js';
import type { Embeddings } from '../../engine/sources/embeddings.js';
import { embeddingProviders } from '../status/embedding-providers.js';
import { engineStatus, type StatusParts } from '../status/engine-status.js';
import { probe } from '../status/health.js';
import { instantOf } from './instant.js';
import { emptyIsDefault } from './empty-body.js';
import { assertReached, guardOwner, isReached, reachOf, within } from './owner.js';
import { EntryId } from '../schema/entries.js';

export interface EngineRoutes {
  readonly auth: Auth;
  readonly limit: RateLimitCategory | undefined;
  readonly entries: Entries;
  readonly embeddings: Embeddings;
  readonly retrieval: Retrieval;
  readonly summarizing: Summarizing;
  readonly reindex: Reindex;
  /** Starts reindexing soon. */
  reindexSoon(): void;
  readonly status: StatusParts;
  readonly models: Models | undefined;
  readonly clock: Clock;
  readonly jobs: Jobs;
}

/** As written in a list's query string. */
function asTexts(metadata: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(metadata).map(([name, value]) => [name, String(value)]));
}

export function engineRoutes(app: Routes, parts: EngineRoutes): void {
  const {
    auth,
    limit,
    entries,
    embeddings,
    retrieval,
    summarizing,
    reindex,
    reindexSoon,
    status,
    models,
    clock,
    jobs,
  } = parts;
  const onRequest = auth.guard('management');
  const tags = ['Memory'];

  app.get(
    '/api/memory/health',
    {
      onRequest,
      schema: { summary: 'Check that memory stores and finds an entry', tags, response: { 200: Health } },
    },
    () => probe(entries.documents, clock),
  );

  app.post(
    '/api/memory/retrieve-preview',
    {
      ...limited(guardOwner(auth), limit),
      config: { readOnly: true },
      schema: {
        summary: 'Find memories for a query, as chat does',
        tags,
        body: PreviewQuery,
        response: { 200: Preview },
      },
    },
    (request) => {
      const reach = reachOf(auth, request);
      const { apiKeyId, userId, sessionId, type, metadata, asOf, explain, ...asked } = within(
        reach,
        request.body,
      );
      const question: Question = {
        ...asked,
        owner: apiKeyId ?? null,
        user: userId ?? null,
        ...(sessionId !== undefined && { session: sessionId }),
        ...(type !== undefined && { type }),
        ...(asOf !== undefined && { asOf: instantOf(asOf)! }),
        ...(metadata !== undefined && { metadata: asTexts(metadata) }),
        caller: auth.principal(request),
      };
      return explain === undefined
        ? retrieval.retrieve(question)
        : retrieval.explain(question, explain, (entry) => isReached(reach, entry, 'read'));
    },
  );

  app.get(
    '/api/memory/embedding-providers',
    {
      onRequest,
      schema: {
        summary: 'List the sources of embeddings and their models',
        tags,
        response: { 200: EmbeddingProviders },
      },
    },
    () => embeddingProviders(models?.list() ?? []),
  );

  app.get(
    '/api/memory/engine-status',
    {
      onRequest,
      schema: {
        summary: 'The state of the indexes, the embeddings and the external store',
        tags,
        response: { 200: EngineStatus },
      },
    },
    () => engineStatus(status),
  );

  app.post(
    '/api/memory/summarize',
    {
      onRequest,
      preValidation: emptyIsDefault,
      schema: {
        summary: 'Replace old entries by summaries, or only count them',
        tags,
        body: SummarizeBody,
        response: { 200: Summarized },
      },
    },
    (request) => {
      const { apiKeyId, olderThanDays, dryRun } = request.body;
      return summarizing.run({
        olderThanDays,
        dryRun,
        ...(apiKeyId === undefined ? {} : { owner: apiKeyId }),
      });
    },
  );

  app.post(
    '/api/memory/:id/restore',
    {
      ...limited(guardOwner(auth), limit),
      schema: {
        summary: 'Bring back the entries that a summary replaced',
        tags,
        params: EntryId,
        response: { 200: Restored },
      },
    },
    async (request) => {
      assertReached(reachOf(auth, request), await entries.get(request.params.id), 'change');
      return entries.restore(request.params.id);
    },
  );

  app.post(
    '/api/memory/reindex',
    {
      onRequest,
      preValidation: emptyIsDefault,
      schema: {
        summary: 'Embed entries whose vectors are missing or out of date',
        tags,
        body: ReindexBody,
        response: { 200: Reindexed },
      },
    },
    async (request) => {
      const { choices } = await embeddings.resolve();
      if (request.body.force) {
        await jobs.add(FLAG_ALL);
        const pending = await entries.documents.countDocuments(live(clock.now()));
        return { started: choices.length > 0 && pending > 0, pending };
      }
      const pending = await reindex.pending();
      const started = choices.length > 0 && pending > 0;
      if (started) reindexSoon();
      return { started, pending };
    },
  );
}
