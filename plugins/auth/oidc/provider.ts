/** One identity provider: where to send a browser, and who returns. Authorization code with PKCE (RFC 7636, 9700). */
import type { Access } from 'plugboard/sdk';
import type * as OpenidClient from 'openid-client';
import { errors } from '../errors.js';
import { claimAt, parseClaimPath, rolesIn } from '../issuers/claim-path.js';
import type { OidcConfig } from './schema.js';

/** Secrets that must match when the browser comes back. */
export interface LoginSecrets {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export interface ExternalPerson {
  readonly issuer: string;
  readonly subject: string;
  readonly name: string | null;
  readonly email: string | null;
  /** The preferred login. */
  readonly preferred: string;
  /** Undefined if no group grants any. */
  readonly access: Access | undefined;
}

/** Seconds per call of the provider. */
const TIMEOUT = 10;
const HIGHEST_FIRST: readonly Access[] = ['admin', 'viewer', 'member'];

export class OidcProvider {
  readonly config: OidcConfig;
  #discovered: Promise<OpenidClient.Configuration> | undefined;

  constructor(config: OidcConfig) {
    this.config = config;
  }

  async begin(): Promise<{ url: URL; secrets: LoginSecrets }> {
    const client = await import('openid-client');
    const provider = await this.#provider(client);
    const secrets = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
    };
    const url = client.buildAuthorizationUrl(provider, {
      redirect_uri: this.config.callback,
      scope: this.config.scope,
      state: secrets.state,
      nonce: secrets.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(secrets.verifier),
      code_challenge_method: 'S256',
    });
    return { url, secrets };
  }

  /** `query`: the provider's parameters in the callback. Throws the refusal for the browser. */
  async finish(query: string, { state, nonce, verifier }: LoginSecrets): Promise<ExternalPerson> {
    const client = await import('openid-client');
    const provider = await this.#provider(client);
    const url = new URL(this.config.callback);
    url.search = query;
    const checks = {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    };
    const claims = await client.authorizationCodeGrant(provider, url, checks).then(
      (tokens) => tokens.claims(),
      (error: unknown) => {
        throw errors.oidc_refused({ values: { name: this.#label, reason: reasonOf(error) }, cause: error });
      },
    );
    if (claims === undefined)
      throw errors.oidc_refused({ values: { name: this.#label, reason: 'no ID token' } });
    const { iss, sub, name, email, preferred_username: preferred } = claims;
    return {
      issuer: iss,
      subject: sub,
      name: textOf(name),
      email: textOf(email),
      preferred: textOf(preferred) ?? textOf(email)?.split('@')[0] ?? sub,
      access: this.#accessOf(rolesIn(claimAt(claims, parseClaimPath(this.config.groups)))),
    };
  }

  get #label(): string {
    return this.config.label ?? this.config.name;
  }

  #accessOf(groups: readonly string[]): Access | undefined {
    const { access } = this.config;
    const held = [...groups, '*'].map((group) => (Object.hasOwn(access, group) ? access[group] : undefined));
    return HIGHEST_FIRST.find((one) => held.includes(one));
  }

  /** Read at the first login, and again after a failure: a provider that is down does not delay the start. */
  async #provider(client: typeof OpenidClient): Promise<OpenidClient.Configuration> {
    const { issuer, clientId, clientSecret } = this.config;
    const url = new URL(issuer);
    const insecure = url.protocol === 'http:' ? [client.allowInsecureRequests] : [];
    // Without the last one, the signature of the ID token is not checked.
    const execute = [...insecure, client.enableNonRepudiationChecks];
    this.#discovered ??= client.discovery(url, clientId, clientSecret, undefined, {
      execute,
      timeout: TIMEOUT,
    });
    try {
      return await this.#discovered;
    } catch (error) {
      this.#discovered = undefined;
      throw errors.oidc_unavailable({ values: { name: this.#label }, cause: error });
    }
  }
}

/** The library's codes and the provider's `error`, never a text that may contain a token. */
function reasonOf(error: unknown): string {
  const { code, error: refusal } = error as { code?: unknown; error?: unknown };
  return textOf(refusal)?.slice(0, 100) ?? textOf(code) ?? 'the answer cannot be used';
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value.slice(0, 200) : null;
}
