/** Schemas of the entry routes. */
import { Type, type Static } from 'plugboard/sdk';
import { Metadata } from '../../engine/entries/entry.js';
import { closed, ENTRY_TYPES, nullable, oneOf } from '../../engine/base/schema.js';

export const Entry = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    content: Type.String(),
    key: Type.String(),
    type: oneOf(ENTRY_TYPES),
    sessionId: nullable(Type.String()),
    apiKeyId: nullable(Type.String()),
    userId: nullable(Type.String()),
    metadata: Metadata,
    expiresAt: nullable(Type.String({ format: 'date-time' })),
    validFrom: Type.String({ format: 'date-time' }),
    validUntil: nullable(Type.String({ format: 'date-time' })),
    supersedes: nullable(Type.String({ description: 'the memory that it supersedes' })),
    supersededBy: nullable(Type.String({ description: 'the memory that supersedes it' })),
    createdAt: Type.String({ format: 'date-time' }),
    updatedAt: Type.String({ format: 'date-time' }),
    needsReindex: Type.Union([Type.Literal(0), Type.Literal(1)]),
    standsFor: Type.Integer({
      minimum: 0,
      description: 'number of entries it stands for: POST /api/memory/{id}/restore restores them',
    }),
  },
  { title: 'Memory' },
);
export type Entry = Static<typeof Entry>;

export const EntryId = Type.Object({ id: Type.String() });

export const AsOf = Type.String({
  format: 'date-time',
  description: 'memories valid at this instant, whenever they were learned; default: now',
});

export const EntryHistory = Type.Object({
  data: Type.Array(Entry, { description: 'the newest first' }),
});

/** An empty filter is ignored, as sent by forms with blank fields. */
export const ListQuery = Type.Object(
  {
    apiKeyId: Type.Optional(Type.String()),
    userId: Type.Optional(Type.String({ description: 'entries of this end user' })),
    type: Type.Optional(oneOf(ENTRY_TYPES)),
    sessionId: Type.Optional(Type.String()),
    q: Type.Optional(Type.String()),
    asOf: Type.Optional(AsOf),
    limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
    page: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, default: 1 }),
    offset: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
    cursor: Type.Optional(
      Type.String({
        maxLength: 500,
        description: '`nextCursor` of the previous page: the same speed for every page',
      }),
    ),
  },
  {
    ...closed,
    // `metadata.NAME=VALUE`: a member with this text, number, boolean or null.
    patternProperties: { '^metadata\\..': { type: 'string', maxLength: 1000 } },
  },
);
export type ListQuery = Static<typeof ListQuery>;

const Count = Type.Integer({ minimum: 0 });
export const HitCounts = { hits: Count, misses: Count };

export const EntryPage = Type.Object(
  {
    data: Type.Array(Entry),
    total: Count,
    totalPages: Count,
    page: Type.Integer({ minimum: 1 }),
    limit: Count,
    nextCursor: nullable(Type.String()),
    stats: Type.Object({
      total: Count,
      tokensUsed: Count,
      hitRate: Type.Number(),
      cacheStats: Type.Object(HitCounts),
    }),
  },
  { title: 'MemoryPage' },
);
export type EntryPage = Static<typeof EntryPage>;

export const Deleted = Type.Object({ success: Type.Boolean() });
