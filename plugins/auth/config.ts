/** The config. */
import { Type, type ConfigFault, type Static } from 'plugboard/sdk';
import { IssuerConfig, issuerFaults, tooMuch } from './issuers/schema.js';
import { API_KEY_PATTERN } from './keys/key-format.js';
import { OidcConfig, oidcFaults } from './oidc/schema.js';

const strict = { additionalProperties: false } as const;

const Scope = Type.String({ maxLength: 100 });

const Lockout = (failures: number, what: string) =>
  Type.Object(
    {
      failures: Type.Integer({
        minimum: 1,
        maximum: 1000,
        default: failures,
        description: `The failure after which ${what} must wait, longer with each further one.`,
      }),
      minutes: Type.Number({
        exclusiveMinimum: 0,
        maximum: 1440,
        default: 15,
        description: 'The longest wait. Twice as long after the last failure all are forgotten.',
      }),
    },
    { ...strict, default: {}, description: `What follows failures of ${what}.` },
  );

export const Config = Type.Object(
  {
    adminPassword: Type.Optional(
      Type.String({
        minLength: 12,
        maxLength: 200,
        secret: true,
        description:
          "The administrator's password, taken over at the first start and whenever it is changed here. Default: generated, and shown once on the terminal.",
      }),
    ),
    firstKey: Type.Optional(
      Type.String({
        pattern: API_KEY_PATTERN,
        secret: true,
        description:
          'An API key with the scope "*", "pb_" and at least 32 characters; it replaces the one before. Default: generated, and shown once on the terminal.',
      }),
    ),
    sealKeys: Type.Optional(
      Type.Unknown({
        secret: true,
        deprecated: true,
        movedTo: 'secrets.keys',
        description: 'set providers.secrets.keys instead; this key goes in 0.3.0',
      }),
    ),
    requireLogin: Type.Boolean({
      default: true,
      description: 'Whether management asks for a login, until the setting is changed over HTTP.',
    }),
    sessionHours: Type.Number({
      exclusiveMinimum: 0,
      maximum: 720,
      default: 12,
      description: 'How long a session lives after its last use.',
    }),
    issuers: Type.Array(IssuerConfig, {
      default: [],
      maxItems: 50,
      description: 'Identity providers whose tokens (JWT) are taken from people.',
    }),
    anonymous: Type.Object(
      {
        role: Type.String({
          default: 'anon',
          minLength: 1,
          maxLength: 100,
          description: 'The role of callers without a credential.',
        }),
        scopes: Type.Array(Scope, {
          default: [],
          maxItems: 100,
          description: 'What callers without a credential may do. Nothing by default.',
        }),
      },
      { ...strict, default: {}, description: 'Callers without a credential.' },
    ),
    oidc: Type.Array(OidcConfig, {
      default: [],
      maxItems: 20,
      description: 'Identity providers by which people with access to the server log in (OpenID Connect).',
    }),
    revocationLag: Type.Number({
      default: 5,
      minimum: 1,
      maximum: 300,
      description:
        'Seconds after which a key, token or session that was revoked on another instance is refused everywhere; an instance that is cut off from the store as long answers 503.',
    }),
    memberScopes: Type.Array(Scope, {
      default: [],
      maxItems: 100,
      description: 'What people with the access `member` may do, and give to keys of their own.',
    }),
    lockout: Type.Object(
      {
        session: Lockout(5, "the administrator's login from this address"),
        basic: Lockout(10, "a user's login from this address"),
      },
      { ...strict, default: {}, description: 'How guessing passwords is slowed down.' },
    ),
  },
  strict,
);
export type Config = Static<typeof Config>;

/** What the schema cannot check. */
export function* configFaults({ issuers, anonymous, memberScopes, oidc }: Config): Generator<ConfigFault> {
  yield* oidcFaults(oidc, ['oidc']);
  yield* issuerFaults(issuers, ['issuers']);
  yield* tooMuch(anonymous.scopes, ['anonymous', 'scopes']);
  yield* tooMuch(memberScopes, ['memberScopes']);
}
