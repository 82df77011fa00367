/** The config, request bodies and responses. */
import { Type, type Static } from 'plugboard/sdk';

const strict = { additionalProperties: false } as const;

/** The scopes that clients of this API know. They grant nothing unless a plugin's route asks for them. */
const SCOPES = [
  'user',
  'user:email',
  'user:follow',
  'read:user',
  'public_repo',
  'repo',
  'repo_deployment',
  'repo:status',
  'delete_repo',
  'notifications',
  'gist',
  'read:repo_hook',
  'write:repo_hook',
  'admin:repo_hook',
  'admin:org_hook',
  'read:org',
  'write:org',
  'admin:org',
  'read:public_key',
  'write:public_key',
  'admin:public_key',
  'read:gpg_key',
  'write:gpg_key',
  'admin:gpg_key',
];

export const Config = Type.Object(
  {
    tokenVisibility: Type.Union([Type.Literal('always'), Type.Literal('creation')], {
      default: 'always',
      description:
        'When an authorization shows its token: always, or only when it is created or reset; then it is stored as a hash alone.',
    }),
    scopes: Type.Array(Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_.:-]*$', maxLength: 100 }), {
      default: SCOPES,
      maxItems: 500,
      description:
        'What users may give to their tokens. A scope of a plugin opens its routes that take tokens: list only what every user may do.',
    }),
    maxPerUser: Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      default: 1000,
      description: 'Authorizations that one user may have.',
    }),
  },
  strict,
);
export type Config = Static<typeof Config>;

const Nullable = <T extends Parameters<typeof Type.Union>[0][number]>(type: T) =>
  Type.Optional(Type.Union([type, Type.Null()]));

const Scopes = Type.Array(Type.String(), { maxItems: 500 });
const Note = Type.String({ maxLength: 255, description: "A reminder of the token's purpose." });
const NoteUrl = Type.String({ maxLength: 2000, description: 'http or https.' });
const Fingerprint = Type.String({
  maxLength: 255,
  description: 'Tells authorizations of one application and user apart.',
});
const ClientId = Type.String({ maxLength: 100, description: '20 characters.' });
const ClientSecret = Type.String({ maxLength: 200, description: '40 characters.' });

export const CreateBody = Type.Object(
  {
    scopes: Nullable(Scopes),
    note: Note,
    note_url: Nullable(NoteUrl),
    client_id: Nullable(ClientId),
    client_secret: Nullable(ClientSecret),
    fingerprint: Nullable(Fingerprint),
  },
  { ...strict, title: 'Authorization', examples: [{ note: 'my laptop', scopes: ['gist'] }] },
);
export type CreateBody = Static<typeof CreateBody>;

export const GetOrCreateBody = Type.Object(
  {
    client_secret: ClientSecret,
    scopes: Nullable(Scopes),
    note: Nullable(Note),
    note_url: Nullable(NoteUrl),
    fingerprint: Nullable(Fingerprint),
  },
  {
    ...strict,
    title: 'ApplicationAuthorization',
    examples: [{ client_secret: 'abcdef0123456789abcdef0123456789abcdef01', note: 'my laptop' }],
  },
);
export type GetOrCreateBody = Static<typeof GetOrCreateBody>;

export const UpdateBody = Type.Object(
  {
    scopes: Nullable(Scopes),
    add_scopes: Type.Optional(Scopes),
    remove_scopes: Type.Optional(Scopes),
    note: Type.Optional(Note),
    note_url: Nullable(NoteUrl),
    fingerprint: Nullable(Fingerprint),
  },
  { ...strict, title: 'AuthorizationChange', examples: [{ add_scopes: ['repo'], note: 'my old laptop' }] },
);
export type UpdateBody = Static<typeof UpdateBody>;

export const TokenBody = Type.Object(
  { access_token: Type.String({ maxLength: 200 }) },
  {
    ...strict,
    title: 'AccessToken',
    examples: [{ access_token: 'e72e16c7e42f292c6912e7710c838347ae178b4a' }],
  },
);

// Without a type: a page that is not a number means the first one, as clients of this API expect.
export const PageQuery = Type.Object({
  page: Type.Optional(Type.Unknown({ description: 'From 1. Default: 1.' })),
  per_page: Type.Optional(Type.Unknown({ description: '1 to 100. Default: 30.' })),
});

export const IdParams = Type.Object({ id: Type.String() });
export const ClientParams = Type.Object({ client_id: Type.String() });
export const FingerprintParams = Type.Object({ client_id: Type.String(), fingerprint: Type.String() });
export const TokenParams = Type.Object({ client_id: Type.String(), access_token: Type.String() });

const User = Type.Object(
  {
    login: Type.String(),
    id: Type.Integer(),
    avatar_url: Type.String(),
    image_id: Type.String(),
    url: Type.String(),
    html_url: Type.String(),
    followers_url: Type.String(),
    following_url: Type.String(),
    gists_url: Type.String(),
    starred_url: Type.String(),
    subscriptions_url: Type.String(),
    organizations_url: Type.String(),
    repos_url: Type.String(),
    events_url: Type.String(),
    received_events_url: Type.String(),
    type: Type.String(),
    site_admin: Type.Boolean(),
  },
  { title: 'AuthorizationUser' },
);
export type User = Static<typeof User>;

const OrNull = Type.Union([Type.String(), Type.Null()]);
const Texts = Type.Unsafe<readonly string[]>(Type.Array(Type.String()));
export const Authorization = Type.Object(
  {
    id: Type.Integer(),
    url: Type.String(),
    app: Type.Object({ name: Type.String(), url: Type.String(), client_id: Type.String() }),
    token: Type.String({ description: 'Empty where `tokenVisibility` hides it.' }),
    note: OrNull,
    note_url: OrNull,
    created_at: Type.String(),
    updated_at: Type.String(),
    scopes: Texts,
    fingerprint: Type.Optional(Type.String()),
  },
  { title: 'Authorization' },
);
export type Authorization = Static<typeof Authorization>;

export const AuthorizationList = Type.Array(Authorization);
export const CheckedAuthorization = Type.Object(
  { ...Authorization.properties, user: User },
  { title: 'CheckedAuthorization' },
);
export type CheckedAuthorization = Static<typeof CheckedAuthorization>;
