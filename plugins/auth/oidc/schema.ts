/** The config of logins by an identity provider (OpenID Connect), for people with access to the server. */
import { type ConfigFault, type Static, Type } from 'plugboard/sdk';
import { parseClaimPath } from '../issuers/claim-path.js';

export const OidcConfig = Type.Object(
  {
    name: Type.String({
      pattern: '^[a-z0-9][a-z0-9_-]{0,39}$',
      description: 'A short name, in the addresses of the login.',
    }),
    label: Type.Optional(Type.String({ maxLength: 100, description: 'What the login page calls it.' })),
    issuer: Type.String({
      format: 'uri',
      description: 'The issuer; its metadata is read from `/.well-known/openid-configuration` below it.',
    }),
    clientId: Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'The id of this server at the provider.',
    }),
    clientSecret: Type.String({ minLength: 1, maxLength: 1000, secret: true, description: 'Its secret.' }),
    callback: Type.String({
      format: 'uri',
      description:
        'Where the provider sends the browser back: the public address of this server and `/api/auth/oidc/<name>/callback`.',
    }),
    scope: Type.String({
      default: 'openid profile email',
      maxLength: 500,
      description: 'What is asked for.',
    }),
    groups: Type.String({
      default: 'groups',
      minLength: 1,
      maxLength: 200,
      description: 'Path of the claim with the groups, a text or a list.',
    }),
    access: Type.Record(
      Type.String(),
      Type.Union([Type.Literal('admin'), Type.Literal('viewer'), Type.Literal('member')]),
      { description: 'The access of each group; a person has the highest of theirs. `"*"` is everybody.' },
    ),
  },
  { additionalProperties: false },
);
export type OidcConfig = Static<typeof OidcConfig>;

/** What the schema cannot check in a list of providers; paths are below `at`. */
export function* oidcFaults(
  providers: readonly OidcConfig[],
  at: ConfigFault['path'],
): Generator<ConfigFault> {
  for (const [index, { name, callback, groups }] of providers.entries()) {
    const here = [...at, index];
    if (providers.slice(0, index).some((earlier) => earlier.name === name))
      yield { path: [...here, 'name'], message: `the name "${name}" is used twice` };
    const path = `/api/auth/oidc/${name}/callback`;
    if (!new URL(callback).pathname.endsWith(path))
      yield { path: [...here, 'callback'], message: `must end with "${path}"` };
    try {
      parseClaimPath(groups);
    } catch (error) {
      yield { path: [...here, 'groups'], message: (error as Error).message };
    }
  }
}
