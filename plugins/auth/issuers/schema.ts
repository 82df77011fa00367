/** The config of token issuers: trusted issuers, how their tokens are checked, and the scopes of their roles. */
import { type ConfigFault, type Static, Type } from 'plugboard/sdk';
import { ALL, MANAGE } from '../allows.js';
import { OWNER_PATTERN } from '../keys/owner.js';
import { parseClaimPath } from './claim-path.js';

const strict = { additionalProperties: false } as const;

/** `none` is in no list, and shared secrets are only for HS (RFC 8725 3.1, 3.2). */
const ASYMMETRIC = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
] as const;
const SYMMETRIC = ['HS256', 'HS384', 'HS512'] as const;
const Algorithm = Type.Unsafe<string>(
  Type.Union([...ASYMMETRIC, ...SYMMETRIC].map((name) => Type.Literal(name))),
);
/** Bytes: RFC 7518 3.2 requires at least the size of the hash. */
const SHORTEST_SECRET: Readonly<Record<string, number>> = { HS256: 32, HS384: 48, HS512: 64 };

const OneOrMore = (description: string) =>
  Type.Optional(
    Type.Union(
      [
        Type.String({ minLength: 1 }),
        Type.Array(Type.String({ minLength: 1 }), { minItems: 1, maxItems: 50 }),
      ],
      { description },
    ),
  );

const ScopeNames = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 100, description });

export const IssuerConfig = Type.Object(
  {
    name: Type.String({
      pattern: '^[a-z0-9][a-z0-9_-]{0,39}$',
      description: 'A short name, in the ids of its people: `<name>|<sub>`.',
    }),
    issuer: Type.String({
      minLength: 1,
      maxLength: 500,
      description:
        'The claim `iss` of its tokens, letter for letter, with the slash at its end if there is one.',
    }),
    audience: OneOrMore(
      'What the claim `aud` must name, one of these. This or `authorizedParty` is required.',
    ),
    authorizedParty: OneOrMore(
      'What the claim `azp` must be, one of these, for providers that set no `aud`.',
    ),
    jwks: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1000,
        description:
          'The public keys as a JWK set: an https URL, or a file next to the config. This or `secret`.',
      }),
    ),
    secret: Type.Optional(
      Type.String({
        minLength: 32,
        maxLength: 1000,
        secret: true,
        description:
          'The shared secret of HS algorithms, at least as many bytes as the hash has. This or `jwks`.',
      }),
    ),
    algorithms: Type.Array(Algorithm, {
      minItems: 1,
      uniqueItems: true,
      description: 'The algorithms that are taken: HS ones with `secret`, all others with `jwks`.',
    }),
    role: Type.String({
      default: 'role',
      minLength: 1,
      maxLength: 200,
      description:
        'Path of the claim that holds the role, a text or a list: `app_metadata.role`, `"https://app.example/roles"`.',
    }),
    owner: Type.Optional(
      Type.String({
        pattern: OWNER_PATTERN,
        description: 'The tenant whose data its people work on. Default: the name.',
      }),
    ),
    roles: Type.Record(Type.String(), ScopeNames('The scopes that the role grants.'), {
      default: {},
      description: 'What each role may do; `"*"` is everybody with a token. Nothing by default.',
    }),
  },
  strict,
);
export type IssuerConfig = Static<typeof IssuerConfig>;

/** What the schema cannot check in a list of issuers; paths are below `at`. */
export function* issuerFaults(
  issuers: readonly IssuerConfig[],
  at: ConfigFault['path'],
): Generator<ConfigFault> {
  for (const [index, issuer] of issuers.entries()) {
    const here = [...at, index];
    const earlier = issuers.slice(0, index);
    if (earlier.some(({ name }) => name === issuer.name))
      yield { path: [...here, 'name'], message: `the name "${issuer.name}" is used twice` };
    if (earlier.some((other) => other.issuer === issuer.issuer))
      yield { path: [...here, 'issuer'], message: `the issuer "${issuer.issuer}" is listed twice` };
    if (issuer.audience === undefined && issuer.authorizedParty === undefined)
      yield {
        path: here,
        message:
          'needs "audience", or "authorizedParty" for a provider that sets none: else tokens for other services are taken',
      };
    yield* keyFaults(issuer, here);
    try {
      parseClaimPath(issuer.role);
    } catch (error) {
      yield { path: [...here, 'role'], message: (error as Error).message };
    }
    for (const [role, scopes] of Object.entries(issuer.roles)) {
      yield* tooMuch(scopes, [...here, 'roles', role]);
    }
  }
}

/** A token never opens the management. */
export function* tooMuch(scopes: readonly string[], at: ConfigFault['path']): Generator<ConfigFault> {
  for (const [index, scope] of scopes.entries())
    if (scope === MANAGE || scope === ALL)
      yield {
        path: [...at, index],
        message: `"${scope}" opens the management of the server, which no token may do: name the scopes (plugboard scopes lists them)`,
      };
}

function* keyFaults(
  { jwks, secret, algorithms }: IssuerConfig,
  here: ConfigFault['path'],
): Generator<ConfigFault> {
  if ((jwks === undefined) === (secret === undefined))
    yield { path: here, message: 'needs "jwks" or "secret", and not both' };
  for (const [index, algorithm] of algorithms.entries()) {
    const path = [...here, 'algorithms', index];
    const shortest = SHORTEST_SECRET[algorithm];
    if (shortest === undefined && secret !== undefined)
      yield { path, message: `"${algorithm}" needs public keys: set "jwks" instead of "secret"` };
    if (shortest !== undefined && secret === undefined)
      yield { path, message: `"${algorithm}" needs a shared "secret": with public keys anybody could sign` };
    if (shortest !== undefined && secret !== undefined && Buffer.byteLength(secret) < shortest)
      yield {
        path: [...here, 'secret'],
        message: `"${algorithm}" needs a secret of at least ${shortest} bytes`,
      };
  }
}
