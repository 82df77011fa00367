/** Schemas of retrieval, engine status and maintenance. */
import { Type, type Static } from 'plugboard/sdk';
import { closed, ENTRY_TYPES, nullable, oneOf, STRATEGIES } from '../../engine/base/schema.js';
import { UserId } from '../../engine/entries/entry.js';
import { Explained } from '../../engine/retrieval/explain.js';
import { EmbeddingSource, Retrieved } from '../../engine/retrieval/retrieved.js';
import { AsOf, HitCounts } from './entries.js';

const Count = Type.Integer({ minimum: 0 });

export const PreviewQuery = Type.Object(
  {
    query: Type.String({ minLength: 1, maxLength: 10_000 }),
    strategy: oneOf(STRATEGIES, { default: 'hybrid' }),
    maxTokens: Type.Integer({ minimum: 1, maximum: 16_000, default: 2000 }),
    apiKeyId: Type.Optional(Type.String({ minLength: 1 })),
    userId: Type.Optional(UserId),
    sessionId: Type.Optional(Type.String({ minLength: 1 })),
    type: Type.Optional(oneOf(ENTRY_TYPES)),
    metadata: Type.Optional(
      Type.Record(
        Type.String({ maxLength: 200 }),
        Type.Union([Type.String({ maxLength: 1000 }), Type.Number(), Type.Boolean(), Type.Null()]),
        { maxProperties: 20, description: 'metadata members an entry must have' },
      ),
    ),
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
    asOf: Type.Optional(AsOf),
    minScore: Type.Optional(Type.Number({ minimum: 0, maximum: 1, description: 'minimum `relevance`' })),
    explain: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
        maxItems: 50,
        description: 'ids of entries; the response explains why each was recalled or not',
      }),
    ),
  },
  { ...closed, title: 'MemoryQuery', examples: [{ query: 'How does she take her tea?' }] },
);

export const Preview = Type.Object({
  ...Retrieved.properties,
  explained: Type.Optional(Type.Array(Explained)),
});

export const Health = Type.Object({
  working: Type.Boolean(),
  latencyMs: Type.Number(),
  error: nullable(Type.String()),
});

export const EmbeddingProviders = Type.Object({
  providers: Type.Array(
    Type.Object({
      provider: Type.String(),
      hasKey: Type.Boolean(),
      models: Type.Array(
        Type.Object({ id: Type.String(), name: Type.String(), dimensions: nullable(Type.Integer()) }),
      ),
    }),
  ),
});

export const EngineStatus = Type.Object(
  {
    keyword: Type.Object({ available: Type.Boolean(), backend: Type.Literal('FTS5') }),
    embedding: Type.Object({
      source: EmbeddingSource,
      model: nullable(Type.String()),
      dimensions: nullable(Type.Integer()),
      available: Type.Boolean(),
      reason: Type.String(),
      cacheStats: Type.Object({ ...HitCounts, size: Count }),
    }),
    vectorStore: Type.Object({
      backend: oneOf(['local', 'external', 'none']),
      available: Type.Boolean(),
      rowCount: Count,
      needsReindex: Count,
      reason: Type.String(),
    }),
    externalStore: Type.Object({
      enabled: Type.Boolean(),
      healthy: nullable(Type.Boolean()),
      latencyMs: nullable(Type.Number()),
      error: nullable(Type.String()),
    }),
    rerank: Type.Object({
      enabled: Type.Boolean(),
      provider: nullable(Type.String()),
      model: nullable(Type.String()),
      available: Type.Boolean(),
      reason: Type.String(),
    }),
  },
  { title: 'MemoryEngineStatus' },
);
export type EngineStatus = Static<typeof EngineStatus>;

export const SummarizeBody = Type.Object(
  {
    olderThanDays: Type.Integer({ minimum: 1, maximum: 365, default: 30 }),
    apiKeyId: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
    dryRun: Type.Boolean({ default: false }),
  },
  { title: 'Summarize', examples: [{ olderThanDays: 30, dryRun: true }], ...closed, default: {} },
);
export const Restored = Type.Object({ restored: Count, kept: Count });

export const ReindexBody = Type.Object(
  { force: Type.Boolean({ default: false }) },
  { title: 'Reindex', examples: [{ force: false }], ...closed, default: {} },
);
export const Reindexed = Type.Object({ started: Type.Boolean(), pending: Count });
