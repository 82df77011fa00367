/** What a new entry and a change of one are made of. */
import { Type, type Static } from 'plugboard/sdk';
import { closed, ENTRY_TYPES, nullable, oneOf } from '../base/schema.js';

/** Blank, it would be a name that nobody can read. */
const notBlank = { minLength: 1, pattern: '\\S' } as const;
export const LONGEST_KEY = 1_000;
const Key = Type.String({ ...notBlank, maxLength: LONGEST_KEY });
export const Metadata = Type.Record(Type.String(), Type.Unknown());
/** Each member is a field of the stored entry, as a later write merges them one by one. */
export const NewMetadata = Type.Record(Type.String({ maxLength: 200 }), Type.Unknown(), {
  maxProperties: 1_000,
});

/** Not blank: there would be nothing to remember. Indexing a text takes time by its length. */
const Content = Type.String({ ...notBlank, maxLength: 100_000 });
/** An end user within an owner. */
export const UserId = Type.String({ ...notBlank, maxLength: 256 });

/** When it holds in the world, see validity.ts. */
const Times = {
  validFrom: Type.Optional(
    Type.String({ format: 'date-time', description: 'since when it holds; default: since it is stored' }),
  ),
  validUntil: Type.Optional(
    nullable(Type.String({ format: 'date-time', description: 'until when it holds; null: it still does' })),
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
        description: 'the memory that it takes the place of, which ends where this one begins',
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

/** What a change may say that the contract of PUT leaves out. */
export type EntryChange = EntryPatch & { readonly expiresAt?: string | null };
