/** Schema of the list of conversations that were read for facts. */
import { Type, type Static } from 'plugboard/sdk';
import { closed, nullable, oneOf } from '../../engine/base/schema.js';
import { Refused } from '../../engine/extraction/record.js';

export const Extraction = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    apiKeyId: Type.String(),
    userId: nullable(Type.String()),
    sessionId: nullable(Type.String()),
    createdAt: Type.String({ format: 'date-time' }),
    state: oneOf(['waiting', 'done', 'failed']),
    stored: Type.Array(Type.String(), { description: 'ids of the created memories' }),
    refused: Type.Array(Refused, { description: 'the first 50' }),
    refusedCount: Type.Integer({ minimum: 0 }),
    error: nullable(Type.String({ description: 'code of the last failure of the model' })),
  },
  { title: 'MemoryExtraction' },
);
export type Extraction = Static<typeof Extraction>;

export const ExtractionQuery = Type.Object(
  {
    apiKeyId: Type.Optional(Type.String({ minLength: 1 })),
    userId: Type.Optional(Type.String({ minLength: 1 })),
    limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  },
  closed,
);

export const Extractions = Type.Object({
  data: Type.Array(Extraction, { description: 'the newest first; each is kept for a week' }),
});
