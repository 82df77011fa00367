/** What goes in and out of the routes of entries. */
import { Type, type Static } from 'plugboard/sdk';
import { closed, ENTRY_TYPES, nullable, oneOf } from './common.js';

const Key = Type.String({ minLength: 1, maxLength: 1_000 });
const Metadata = Type.Record(Type.String(), Type.Unknown());
/** Each member is a field of the stored entry, as a later write merges them one by one. */
const NewMetadata = Type.Record(Type.String({ maxLength: 200 }), Type.Unknown(), { maxProperties: 1_000 });

/** Not blank: there would be nothing to remember. Indexing a text takes time by its length. */
const Content = Type.String({ minLength: 1, maxLength: 100_000, pattern: '\\S' });
/** An end user within an owner. */
export const UserId = Type.String({ minLength: 1, maxLength: 256 });

export const NewEntry = Type.Object(
  {
    content: Content,
    key: Key,
    type: oneOf(ENTRY_TYPES, { default: 'factual' }),
    sessionId: Type.Optional(nullable(Type.String())),
    apiKeyId: Type.Optional(nullable(Type.String({ minLength: 1 }))),
    userId: Type.Optional(nullable(UserId)),
    metadata: Type.Optional(NewMetadata),
    expiresAt: Type.Optional(nullable(Type.String({ format: 'date-time' }))),
  },
  closed,
);
export type NewEntry = Static<typeof NewEntry>;

export const EntryPatch = Type.Object(
  {
    type: Type.Optional(oneOf(ENTRY_TYPES)),
    key: Type.Optional(Key),
    content: Type.Optional(Content),
    metadata: Type.Optional(NewMetadata),
  },
  closed,
);
export type EntryPatch = Static<typeof EntryPatch>;

export const Entry = Type.Object({
  id: Type.String({ format: 'uuid' }),
  content: Type.String(),
  key: Type.String(),
  type: oneOf(ENTRY_TYPES),
  sessionId: nullable(Type.String()),
  apiKeyId: nullable(Type.String()),
  userId: nullable(Type.String()),
  metadata: Metadata,
  expiresAt: nullable(Type.String({ format: 'date-time' })),
  createdAt: Type.String({ format: 'date-time' }),
  updatedAt: Type.String({ format: 'date-time' }),
  needsReindex: Type.Union([Type.Literal(0), Type.Literal(1)]),
});
export type Entry = Static<typeof Entry>;

export const EntryId = Type.Object({ id: Type.String() });

/** An empty filter is no filter, as in a form that was sent with its fields left blank. */
export const ListQuery = Type.Object(
  {
    apiKeyId: Type.Optional(Type.String()),
    userId: Type.Optional(Type.String({ description: 'entries of this end user' })),
    type: Type.Optional(oneOf(ENTRY_TYPES)),
    sessionId: Type.Optional(Type.String()),
    q: Type.Optional(Type.String()),
    limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
    page: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, default: 1 }),
    offset: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
    cursor: Type.Optional(
      Type.String({
        maxLength: 500,
        description: '`nextCursor` of the page before: as fast however far down',
      }),
    ),
  },
  {
    ...closed,
    // `metadata.NAME=VALUE`: a member that is this text, number, boolean or null.
    patternProperties: { '^metadata\\..': { type: 'string', maxLength: 1000 } },
  },
);
export type ListQuery = Static<typeof ListQuery>;

const Count = Type.Integer({ minimum: 0 });
export const HitCounts = { hits: Count, misses: Count };

export const EntryPage = Type.Object({
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
});
export type EntryPage = Static<typeof EntryPage>;

export const Deleted = Type.Object({ success: Type.Boolean() });
