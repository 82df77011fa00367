/** Bodies of requests and answers. */
import { type Scopes, Type } from 'plugboard/sdk';
import { OWNER_PATTERN } from './keys/owner.js';
import { LOGIN_PATTERN } from './users/users.js';

export const strict = { additionalProperties: false } as const;

const NewPassword = Type.String({
  minLength: 12,
  maxLength: 200,
  description: 'At least 12 characters, and none of the common ones.',
});
const Scope = Type.String({ maxLength: 100 });

export const Nullable = <T extends Parameters<typeof Type.Union>[0][number]>(type: T) =>
  Type.Union([type, Type.Null()]);
/** A Date in code, ISO 8601 in JSON. */
const Time = Type.Unsafe<Date>(Type.String({ format: 'date-time' }));
const Texts = Type.Unsafe<readonly string[]>(Type.Array(Type.String()));
export const Success = Type.Object({ success: Type.Boolean() });

const Given = Type.String({ minLength: 1, maxLength: 200 });
export const LoginBody = Type.Object(
  {
    login: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Default: the administrator of the first start.',
      }),
    ),
    password: Given,
    otp: Type.Optional(
      Type.String({ maxLength: 20, description: 'The one-time password, where the user has one.' }),
    ),
  },
  { ...strict, title: 'Login', examples: [{ password: 'tea without sugar' }] },
);
const AccessLevel = Type.Union([Type.Literal('admin'), Type.Literal('viewer'), Type.Literal('member')], {
  description: 'What the person may do with the server: everything, look, or what is their own.',
});
export const LoginAnswer = Type.Object(
  {
    success: Type.Boolean(),
    csrfToken: Type.String({ description: 'For the header X-CSRF-Token of state-changing calls.' }),
  },
  { title: 'LoginAnswer' },
);
export const Status = Type.Object(
  {
    authenticated: Type.Boolean(),
    requireLogin: Type.Boolean(),
    csrfToken: Nullable(Type.String()),
    login: Nullable(Type.String({ description: 'Of a session: who is logged in.' })),
    access: Nullable(AccessLevel),
    providers: Type.Array(Type.Object({ name: Type.String(), label: Type.String(), login: Type.String() }), {
      description: 'Identity providers; `login` is the path that begins.',
    }),
    scopes: Type.Unsafe<readonly string[]>(
      Type.Array(Type.String(), { description: 'What the caller may do; `*` is everything.' }),
    ),
  },
  { title: 'LoginStatus' },
);
export const OidcParams = Type.Object({ name: Type.String({ maxLength: 40 }) });
export const OidcQuery = Type.Object(
  { next: Type.String({ default: '/', maxLength: 2000, description: 'The path to open after the login.' }) },
  strict,
);
export const Session = Type.Object(
  {
    id: Type.String(),
    login: Type.String(),
    address: Nullable(Type.String()),
    agent: Nullable(Type.String()),
    current: Type.Boolean(),
    createdAt: Time,
    expiresAt: Time,
  },
  { title: 'Session' },
);
export const SessionList = Type.Object({ sessions: Type.Array(Session) });
export const SessionParams = Type.Object({ id: Type.String({ pattern: '^[0-9a-f]{64}$' }) });
export const PasswordBody = Type.Object(
  { currentPassword: Given, newPassword: NewPassword },
  {
    ...strict,
    title: 'PasswordChange',
    examples: [{ currentPassword: 'tea without sugar', newPassword: 'tea with a little milk' }],
  },
);
export const RequireLogin = Type.Object(
  { requireLogin: Type.Boolean() },
  { ...strict, title: 'RequireLogin', examples: [{ requireLogin: true }] },
);

/** A page of a list, and where the next one begins. */
const listed = {
  limit: Type.Integer({ minimum: 1, maximum: 500, default: 50 }),
  after: Type.Optional(Type.String({ maxLength: 200, description: '`next` of the page before.' })),
};
const paged = {
  total: Type.Integer({ description: 'Of all pages.' }),
  next: Nullable(Type.String({ description: '`after` of the next page; null on the last one.' })),
};
const searchOf = (members: string) =>
  Type.Optional(Type.String({ maxLength: 100, description: `A part of ${members}, in any case.` }));

export const IdParams = Type.Object({ id: Type.String() });

export const NewKeyBody = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' }),
    scopes: Type.Array(Scope, { maxItems: 100, default: [] }),
    owner: Type.Optional(
      Nullable(
        Type.String({
          pattern: OWNER_PATTERN,
          description:
            'The tenant whose data the key works on, shared with its other keys and people. Default: the key itself.',
        }),
      ),
    ),
    addresses: Type.Optional(
      Type.Array(Type.String({ maxLength: 50 }), {
        maxItems: 100,
        description: 'IP addresses and networks (CIDR) that may use the key. Default: all.',
      }),
    ),
    publishable: Type.Optional(
      Type.Boolean({
        description: 'For a page that everybody sees: such a key never holds `manage` or `*`.',
      }),
    ),
    expiresAt: Type.Optional(Nullable(Type.String({ format: 'date-time' }))),
  },
  { ...strict, title: 'ApiKey', examples: [{ name: 'reader', scopes: ['data:read'] }] },
);
export const Key = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    preview: Type.String(),
    scopes: Texts,
    owner: Nullable(Type.String()),
    addresses: Texts,
    publishable: Type.Boolean(),
    previous: Nullable(
      Type.Object(
        { preview: Type.String(), until: Time },
        { description: 'The text before a rotation, and until when it works.' },
      ),
    ),
    createdAt: Time,
    expiresAt: Nullable(Time),
    lastUsedAt: Nullable(Time),
    revokedAt: Nullable(Time),
  },
  { title: 'ApiKey' },
);
export const RotateBody = Type.Object(
  {
    until: Type.Optional(
      Type.String({
        format: 'date-time',
        description:
          'Until when the text before works. Default: a day from now; a time that has passed ends it at once.',
      }),
    ),
  },
  { ...strict, title: 'Rotation', examples: [{ until: '2027-01-31T00:00:00Z' }] },
);
export const IssuedKey = Type.Intersect([Key, Type.Object({ key: Type.String() })]);
export const KeyQuery = Type.Object(
  {
    ...listed,
    search: searchOf('the name, the shown end, the tenant or a scope'),
    state: Type.Optional(
      Type.Enum(['active', 'revoked', 'expired'], { description: 'Default: keys in every state.' }),
    ),
  },
  strict,
);
export const KeyList = Type.Object({ keys: Type.Array(Key), ...paged });
export const ScopeList = Type.Object({
  scopes: Type.Unsafe<Scopes>(
    Type.Array(Type.Object({ name: Type.String(), summary: Type.String(), plugin: Type.String() })),
  ),
});

export const UserParams = Type.Object({ id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) });
export const UserQuery = Type.Object(
  { ...listed, search: searchOf('the login, the name or the e-mail') },
  strict,
);

const profile = {
  siteAdmin: Type.Optional(Type.Boolean()),
  imageId: Type.Optional(Type.String({ maxLength: 100 })),
  name: Type.Optional(Nullable(Type.String({ maxLength: 200 }))),
  email: Type.Optional(Nullable(Type.String({ format: 'email', maxLength: 200 }))),
  access: Type.Optional(Nullable(AccessLevel)),
};
export const NewUserBody = Type.Object(
  {
    login: Type.String({ pattern: LOGIN_PATTERN }),
    type: Type.Optional(Type.Union([Type.Literal('User'), Type.Literal('Organization')])),
    password: Type.Optional(NewPassword),
    ...profile,
  },
  { ...strict, title: 'User', examples: [{ login: 'ann', password: 'tea without sugar' }] },
);
export const UserChangesBody = Type.Object(
  { password: Type.Optional(NewPassword), ...profile },
  { ...strict, title: 'UserChange', examples: [{ name: 'Ann Example' }] },
);
export const User = Type.Object(
  {
    id: Type.Integer(),
    login: Type.String(),
    type: Type.String(),
    siteAdmin: Type.Boolean(),
    imageId: Type.String(),
    name: Nullable(Type.String()),
    email: Nullable(Type.String()),
    hasPassword: Type.Boolean(),
    twoFactor: Type.Boolean(),
    access: Nullable(AccessLevel),
    createdAt: Time,
  },
  { title: 'User' },
);
export const UserList = Type.Object({ users: Type.Array(User), ...paged });
export const Enrolment = Type.Object({ secret: Type.String(), uri: Type.String() });

const appFields = {
  name: Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' }),
  url: Type.String({ format: 'uri', maxLength: 2000 }),
};
export const NewAppBody = Type.Object(appFields, {
  ...strict,
  title: 'Application',
  examples: [{ name: 'Tea shop', url: 'https://tea.example' }],
});
export const AppChangesBody = Type.Partial(Type.Object(appFields), {
  ...strict,
  title: 'ApplicationChange',
  examples: [{ name: 'Coffee shop' }],
});
export const App = Type.Object(
  {
    id: Type.String(),
    clientId: Type.String(),
    name: Type.String(),
    url: Type.String(),
    createdAt: Time,
  },
  { title: 'Application' },
);
export const IssuedApp = Type.Intersect([App, Type.Object({ clientSecret: Type.String() })]);
export const AppList = Type.Object({ apps: Type.Array(App) });
