/** A change of the directory as requested: what to put and what to remove, by name. */
import { Type, type Static, type TSchema } from 'plugboard/sdk';

const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
const Login = Type.String({ minLength: 1, maxLength: 100, pattern: '^[^/\\s]+$' });
const FullName = Type.String({
  minLength: 3,
  maxLength: 201,
  pattern: '^[^/\\s]+/[^/\\s]+$',
  description: 'owner/name',
});

const closed = { additionalProperties: false } as const;

const Account = Type.Object(
  {
    id: Id,
    login: Login,
    image_id: Type.String({ maxLength: 200, default: '' }),
    avatar_url: Type.Optional(Type.String({ maxLength: 2_000 })),
  },
  closed,
);
export type AccountEntry = Static<typeof Account>;

const Repository = Type.Object(
  {
    id: Id,
    name: FullName,
    private: Type.Boolean({ default: false }),
    parent: Type.Optional(FullName),
  },
  closed,
);
export type RepositoryEntry = Static<typeof Repository>;

const Member = Type.Object({ organization: Login, user: Login }, closed);
const Collaborator = Type.Object({ repository: FullName, user: Login }, closed);
const Follow = Type.Object({ user: Login, follows: Login }, closed);
const Watch = Type.Object({ user: Login, repository: FullName }, closed);

export const MOST_ENTRIES = 1_000;

function list<T extends TSchema>(items: T) {
  return Type.Optional(Type.Array(items, { maxItems: MOST_ENTRIES }));
}

const ties = {
  members: list(Member),
  collaborators: list(Collaborator),
  follows: list(Follow),
  watches: list(Watch),
};

const Put = Type.Object(
  { users: list(Account), organizations: list(Account), repositories: list(Repository), ...ties },
  closed,
);
const Remove = Type.Object(
  { users: list(Login), organizations: list(Login), repositories: list(FullName), ...ties },
  closed,
);

export const DirectoryBatch = Type.Object(
  { put: Type.Optional(Put), remove: Type.Optional(Remove) },
  {
    ...closed,
    title: 'Directory',
    examples: [{ put: { users: [{ id: 1004, login: 'ann' }], follows: [{ user: 'ann', follows: 'lin' }] } }],
  },
);
export type DirectoryBatch = Static<typeof DirectoryBatch>;
export type PutEntries = NonNullable<DirectoryBatch['put']>;
export type RemoveEntries = NonNullable<DirectoryBatch['remove']>;

export type TieEntries = Pick<PutEntries, 'members' | 'collaborators' | 'follows' | 'watches'>;
