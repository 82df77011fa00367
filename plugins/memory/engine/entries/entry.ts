/** Schemas of a new entry and of a change. */
import { Type, type Static } from 'plugboard/sdk';
import { closed, ENTRY_TYPES, nullable, oneOf } from '../base/schema.js';

/** A blank name would be unreadable. */
const notBlank = { minLength: 1, pattern: '\\S' } as const;
export const LONGEST_KEY = 1_000;
const Key = Type.String({ ...notBlank, maxLength: LONGEST_KEY });
export const Metadata = Type.Record(Type.String(), Type.Unknown());
/** Each member is a field of the stored entry, so that later writes merge them one by one. */
export const NewMetadata = Type.Record(Type.String({ maxLength: 200 }), Type.Unknown(), {
  maxProperties: 1_000,
});

/** Not blank: there would be nothing to remember. Bounded because indexing time grows with length. */
const Content = Type.String({ ...notBlank, maxLength: 100_000 });
/** An end user of an owner. */
export const UserId = Type.String({ ...notBlank, maxLength: 256 });

/** Validity in the world, see validity.ts. */
const Times = {
  validFrom: Type.Optional(
    Type.String({ format: 'date-time', description: 'valid from; default: when it is stored' }),
  ),
  validUntil: Type.Optional(
    nullable(Type.String({ format: 'date-time', description: 'valid until; null: still valid' })),
  ),
};

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
    ...Times,
    supersedes: Type.Optional(
      Type.String({
        format: 'uuid',
        description: 'the memory that it supersedes, which ends when this one begins',
      }),
    ),
  },
  { ...closed, title: 'Memory', examples: [{ key: 'tea', content: 'She drinks her tea without sugar.' }] },
);
export type NewEntry = Static<typeof NewEntry>;

export const EntryPatch = Type.Object(
  {
    type: Type.Optional(oneOf(ENTRY_TYPES)),
    key: Type.Optional(Key),
    content: Type.Optional(Content),
    ...Times,
    metadata: Type.Optional(NewMetadata),
  },
  { ...closed, title: 'MemoryChange', examples: [{ content: 'She drinks her tea with milk.' }] },
);
export type EntryPatch = Static<typeof EntryPatch>;

/** Fields of a change that the contract of PUT omits. */
export type EntryChange = EntryPatch & { readonly expiresAt?: string | null };
