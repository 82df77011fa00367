/** Management requests and responses. */
import { Type, type Static } from 'plugboard/sdk';

const strict = { additionalProperties: false } as const;
const OrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

export const TokenQuery = Type.Object(
  {
    user: Type.Optional(
      Type.String({ maxLength: 100, description: 'only tokens of the user with this login' }),
    ),
    app: Type.Optional(
      Type.String({ maxLength: 100, description: 'only tokens for the application with this client id' }),
    ),
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
    after: Type.Optional(Type.Integer({ minimum: 1, description: '`next` of the page before' })),
  },
  strict,
);
export type TokenQuery = Static<typeof TokenQuery>;

export const TokenId = Type.Object({ id: Type.Integer({ minimum: 1 }) });

const ListedToken = Type.Object(
  {
    id: Type.Integer(),
    user: Type.Object({
      id: Type.Integer(),
      login: OrNull('null: the user is gone'),
    }),
    app: Type.Union([Type.Object({ client_id: Type.String(), name: Type.String() }), Type.Null()], {
      description: 'null: the user made it by hand',
    }),
    note: OrNull('what the user calls it'),
    scopes: Type.Unsafe<readonly string[]>(Type.Array(Type.String())),
    fingerprint: OrNull('tells several of one user and application apart'),
    created_at: Type.String({ format: 'date-time' }),
    updated_at: Type.String({ format: 'date-time' }),
  },
  { title: 'ListedToken' },
);
export type ListedToken = Static<typeof ListedToken>;

export const TokenPage = Type.Object({
  tokens: Type.Array(ListedToken),
  next: Type.Union([Type.Integer(), Type.Null()], {
    description: '`after` of the next page; null on the last one',
  }),
});
export type TokenPage = Static<typeof TokenPage>;
