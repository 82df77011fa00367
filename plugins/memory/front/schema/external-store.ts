/** Schemas of the external store's routes. */
import { Type, type Static } from 'plugboard/sdk';
import { closed, nullable } from '../../engine/base/schema.js';

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
  { ...closed, title: 'ExternalStoreQuery', examples: [{ query: 'tea' }] },
);

export const ExternalResults = Type.Object(
  {
    ok: Type.Boolean(),
    results: Type.Array(
      Type.Object({
        id: Type.String(),
        score: Type.Number(),
        payload: Type.Record(Type.String(), Type.Unknown()),
      }),
    ),
    error: nullable(Type.String()),
  },
  { title: 'ExternalStoreResults' },
);
export type ExternalResults = Static<typeof ExternalResults>;
