/** The settings of the external store. */
import { Type, type Static } from 'plugboard/sdk';
import { closed, nullable, oneOf } from '../base/schema.js';

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
  { ...closed, title: 'ExternalStore', examples: [{ enabled: true, host: 'http://127.0.0.1', port: 6333 }] },
);
export type ExternalStorePatch = Static<typeof ExternalStorePatch>;

export const ExternalStore = Type.Object(
  {
    enabled: Type.Boolean(),
    host: Type.String(),
    port: Type.Integer(),
    collection: Type.String(),
    embeddingModel: nullable(Type.String()),
    quantization: oneOf(QUANTIZATIONS),
    hasApiKey: Type.Boolean(),
    apiKeyMasked: nullable(Type.String()),
  },
  { title: 'ExternalStore' },
);
export type ExternalStore = Static<typeof ExternalStore>;
