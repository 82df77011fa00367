/** The settings of memory and of the external store. */
import { Type, type Static } from 'plugboard/sdk';
import { closed, nullable, oneOf } from './common.js';

/** Order and names are those of the answer. */
export const SettingsPatch = Type.Partial(
  Type.Object({
    enabled: Type.Boolean(),
    maxTokens: Type.Integer({ minimum: 0, maximum: 16_000, description: '0: nothing is put into chats.' }),
    retentionDays: Type.Integer({ minimum: 1, maximum: 365 }),
    strategy: oneOf(['recent', 'semantic', 'hybrid']),
    skillsEnabled: Type.Boolean(),
    embeddingSource: oneOf(['remote', 'static', 'transformers', 'auto']),
    embeddingProviderModel: nullable(Type.String({ minLength: 1 })),
    transformersEnabled: Type.Boolean(),
    staticEnabled: Type.Boolean(),
    rerankEnabled: Type.Boolean(),
    rerankProviderModel: nullable(Type.String({ minLength: 1 })),
    vectorStore: oneOf(['local', 'external', 'auto']),
  }),
  closed,
);
export type SettingsPatch = Static<typeof SettingsPatch>;

export const Settings = Type.Required(SettingsPatch);
export type Settings = Static<typeof Settings>;

const QUANTIZATIONS = ['none', 'int8', 'binary'] as const;

export const ExternalStorePatch = Type.Partial(
  Type.Object({
    enabled: Type.Boolean(),
    host: Type.String(),
    port: Type.Integer({ minimum: 1, maximum: 65_535 }),
    collection: Type.String({ minLength: 1 }),
    embeddingModel: Type.String({ minLength: 1 }),
    quantization: oneOf(QUANTIZATIONS),
    apiKey: Type.String({ description: 'An empty one removes the stored key.' }),
  }),
  closed,
);
export type ExternalStorePatch = Static<typeof ExternalStorePatch>;

export const ExternalStore = Type.Object({
  enabled: Type.Boolean(),
  host: Type.String(),
  port: Type.Integer(),
  collection: Type.String(),
  embeddingModel: nullable(Type.String()),
  quantization: oneOf(QUANTIZATIONS),
  hasApiKey: Type.Boolean(),
  apiKeyMasked: nullable(Type.String()),
});
export type ExternalStore = Static<typeof ExternalStore>;

export const ExternalHealth = Type.Object({
  ok: Type.Boolean(),
  latencyMs: Type.Number(),
  error: nullable(Type.String()),
});
export type ExternalHealth = Static<typeof ExternalHealth>;

export const ExternalQuery = Type.Object(
  {
    query: Type.String({ minLength: 1, maxLength: 10_000 }),
    topK: Type.Integer({ minimum: 1, maximum: 50, default: 5 }),
  },
  closed,
);

export const ExternalResults = Type.Object({
  ok: Type.Boolean(),
  results: Type.Array(
    Type.Object({
      id: Type.String(),
      score: Type.Number(),
      payload: Type.Record(Type.String(), Type.Unknown()),
    }),
  ),
  error: nullable(Type.String()),
});
export type ExternalResults = Static<typeof ExternalResults>;
