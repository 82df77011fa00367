/** Pending logins: kept from the redirect to the provider until the browser comes back, once. */
import {
  type Clock,
  type Collection,
  type Document,
  type Secrets,
  type Storage,
  constantTimeEqual,
  randomToken,
  sha256,
} from 'plugboard/sdk';
import type { LoginSecrets } from './provider.js';

interface LoginDocument extends Document {
  readonly provider: string;
  /** The sealed secrets. */
  readonly sealed: string;
  /** SHA-256 of the cookie of the browser that began the login. */
  readonly browser: string;
  readonly next: string;
  readonly expiresAt: Date;
}

/** Milliseconds. */
const LIFE = 10 * 60_000;

export class OidcLogins {
  readonly #documents: Collection<LoginDocument>;
  readonly #secrets: Secrets;
  readonly #clock: Clock;

  constructor(storage: Storage, secrets: Secrets, clock: Clock) {
    this.#documents = storage.collection<LoginDocument>({
      name: 'oidc_logins',
      indexes: [{ keys: { expiresAt: 1 }, expireAfterSeconds: 0 }],
    });
    this.#secrets = secrets;
    this.#clock = clock;
  }

  /** The token for the browser's cookie. */
  async begin(provider: string, secrets: LoginSecrets, next: string): Promise<string> {
    const browser = randomToken();
    const _id = sha256(secrets.state);
    await this.#documents.insertOne({
      _id,
      provider,
      sealed: this.#secrets.seal(JSON.stringify(secrets), contextOf(_id)),
      browser: sha256(browser),
      next,
      expiresAt: new Date(this.#clock.now() + LIFE),
    });
    return browser;
  }

  /** Undefined for a state that is unknown, used, expired, or from another browser. */
  async take(
    provider: string,
    state: string,
    browser: string,
  ): Promise<{ secrets: LoginSecrets; next: string } | undefined> {
    const _id = sha256(state);
    const found = await this.#documents.findOne({ _id, provider });
    if (found === null || !constantTimeEqual(found.browser, sha256(browser))) return undefined;
    const taken = await this.#documents.deleteOne({ _id });
    if (taken === 0 || found.expiresAt.getTime() <= this.#clock.now()) return undefined;
    return {
      secrets: JSON.parse(this.#secrets.open(found.sealed, contextOf(_id))) as LoginSecrets,
      next: found.next,
    };
  }
}

function contextOf(id: string): string {
  return `auth.oidc_logins/${id}`;
}
