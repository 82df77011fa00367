/** Schemas of mem0's API. Its clients send more than is used here: unknown members are ignored. */
import { Type, type Static } from 'plugboard/sdk';
import { nullable } from '../../engine/base/schema.js';
import { Metadata, NewMetadata, UserId } from '../../engine/entries/entry.js';

const Text = Type.String({ minLength: 1, maxLength: 100_000 });
const Id = Type.Optional(nullable(UserId));
/** An object, parsed by filter.ts. */
const Filters = Type.Optional(Type.Unknown({ description: 'AND, OR and NOT over fields' }));
const Day = Type.Optional(nullable(Type.String({ maxLength: 40, description: 'the last day, UTC' })));
const Instant = Type.Union([Type.String({ maxLength: 40 }), Type.Number()]);

const Ids = { user_id: Id, agent_id: Id, app_id: Id, run_id: Id };

const Message = Type.Object({
  role: Type.Optional(Type.String()),
  content: Type.Unknown({ description: 'a text, or parts of which those of type `text` are read' }),
});
export type Message = Static<typeof Message>;

export const AddBody = Type.Object(
  {
    messages: Type.Union([Text, Type.Array(Message, { maxItems: 1_000 }), Message]),
    ...Ids,
    metadata: Type.Optional(nullable(NewMetadata)),
    infer: Type.Optional(nullable(Type.Boolean())),
    timestamp: Type.Optional(nullable(Instant)),
    expiration_date: Day,
    filters: Filters,
  },
  {
    title: 'Mem0Add',
    examples: [{ messages: [{ role: 'user', content: 'I drink green tea.' }], user_id: 'ann', infer: false }],
  },
);
export type AddBody = Static<typeof AddBody>;

export const SearchBody = Type.Object(
  {
    query: Type.String({ minLength: 1, maxLength: 10_000 }),
    filters: Filters,
    top_k: Type.Optional(nullable(Type.Integer({ minimum: 1, maximum: 1_000 }))),
    threshold: Type.Optional(nullable(Type.Number({ minimum: 0, maximum: 1 }))),
    metadata: Type.Optional(nullable(NewMetadata)),
    reference_date: Type.Optional(nullable(Instant)),
  },
  {
    title: 'Mem0Search',
    examples: [{ query: 'What does she drink?', filters: { user_id: 'ann' }, top_k: 5 }],
  },
);

export const ListBody = Type.Object(
  {
    filters: Filters,
    start_date: Type.Optional(nullable(Instant)),
    end_date: Type.Optional(nullable(Instant)),
  },
  { title: 'Mem0List', examples: [{ filters: { user_id: 'ann' } }], default: {} },
);

const Page = Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 });
export const PageQuery = Type.Object({
  page: Page,
  page_size: Type.Integer({ minimum: 1, maximum: 1_000, default: 100 }),
});

export const ChangeBody = Type.Object(
  {
    text: Type.Optional(nullable(Text)),
    metadata: Type.Optional(nullable(NewMetadata)),
    timestamp: Type.Optional(nullable(Instant)),
    expiration_date: Day,
  },
  { title: 'Mem0Change', examples: [{ text: 'She drinks black tea.' }] },
);
export type ChangeBody = Static<typeof ChangeBody>;

const BATCH = { minItems: 1, maxItems: 1_000 } as const;
export const BatchChange = Type.Object(
  {
    memories: Type.Array(
      Type.Object({
        memory_id: Type.String(),
        text: Type.Optional(nullable(Text)),
        metadata: Type.Optional(nullable(NewMetadata)),
      }),
      BATCH,
    ),
  },
  { title: 'Mem0BatchChange', examples: [{ memories: [{ memory_id: 'ID', text: 'She drinks tea.' }] }] },
);
export type BatchBody = Static<typeof BatchChange>;
export const BatchDelete = Type.Object(
  { memories: Type.Array(Type.Object({ memory_id: Type.String() }), BATCH) },
  { title: 'Mem0BatchDelete', examples: [{ memories: [{ memory_id: 'ID' }] }] },
);

/** Unknown parameters are rejected: they may have been meant to restrict the deletion. */
export const DeleteQuery = Type.Object(
  Object.fromEntries(
    ['user_id', 'agent_id', 'app_id', 'run_id'].map((name) => [name, Type.Optional(UserId)]),
  ),
  { additionalProperties: false },
);

export const FeedbackBody = Type.Object(
  {
    memory_id: Type.String(),
    feedback: Type.Optional(
      nullable(
        Type.Union([Type.Literal('POSITIVE'), Type.Literal('NEGATIVE'), Type.Literal('VERY_NEGATIVE')]),
      ),
    ),
    feedback_reason: Type.Optional(nullable(Type.String({ maxLength: 1_000 }))),
  },
  { title: 'Mem0Feedback', examples: [{ memory_id: 'ID', feedback: 'POSITIVE' }] },
);

const NullableText = nullable(Type.String());
const memoryMembers = {
  id: Type.String(),
  memory: Type.String(),
  user_id: NullableText,
  agent_id: NullableText,
  app_id: NullableText,
  run_id: NullableText,
  metadata: Metadata,
  categories: Type.Array(Type.String()),
  created_at: Type.String(),
  updated_at: Type.String(),
  expiration_date: NullableText,
};
export const Mem0Memory = Type.Object(memoryMembers, { title: 'Mem0Memory' });
export type Mem0Memory = Static<typeof Mem0Memory>;

export const Found = Type.Object({
  results: Type.Array(
    Type.Object({
      ...memoryMembers,
      score: Type.Number({ description: '0 to 1: the greater of cosine and `relevance`' }),
    }),
  ),
});

const Count = Type.Integer({ minimum: 0 });
const paged = { count: Count, next: NullableText, previous: NullableText };
export const MemoryPage = Type.Object({ ...paged, results: Type.Array(Mem0Memory) });
export const EntityPage = Type.Object({
  ...paged,
  results: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      type: Type.String(),
      total_memories: Count,
      created_at: Type.String(),
      updated_at: Type.String(),
      owner: Type.String(),
    }),
  ),
});

export const Mem0Event = Type.Object({
  id: Type.String(),
  memory_id: Type.String(),
  input: Type.Array(Type.Unknown()),
  old_memory: NullableText,
  new_memory: NullableText,
  event: Type.String(),
  user_id: NullableText,
  metadata: Metadata,
  created_at: Type.String(),
  updated_at: Type.String(),
});
export type Mem0Event = Static<typeof Mem0Event>;

const results = Type.Array(Type.Object({ id: Type.String(), memory: Type.String(), event: Type.String() }));
export const Added = Type.Object({
  event_id: Type.String(),
  status: Type.String(),
  message: Type.String(),
  results,
});
export const EventState = Type.Object({ id: Type.String(), status: Type.String(), results });
export const Ping = Type.Object({
  status: Type.String(),
  org_id: Type.String(),
  project_id: Type.String(),
  user_email: Type.String(),
});
export const Done = Type.Object({ message: Type.String() });
export const FeedbackTaken = Type.Object({
  id: Type.String(),
  feedback: NullableText,
  feedback_reason: NullableText,
});
