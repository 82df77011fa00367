/** Codes of the web flow, which a browser carries from the user to the application. Only their hashes are stored. */
import { randomBytes } from 'node:crypto';
import { sha256, type Clock, type Collection, type Document, type Storage } from 'plugboard/sdk';

const MILLISECONDS = 600_000;

export interface WebGrant {
  readonly clientId: string;
  readonly userId: number;
  readonly scopes: readonly string[];
  readonly redirectUri: string;
  /** SHA-256 in base64url (RFC 7636); null if the application sent none. */
  readonly challenge: string | null;
}

/** `_id`: the hash of the code. */
type WebCodeDocument = WebGrant & Document & { readonly expireAt: Date };

export class WebCodes {
  readonly #documents: Collection<WebCodeDocument>;
  readonly #clock: Clock;

  constructor(storage: Storage, clock: Clock) {
    this.#documents = storage.collection<WebCodeDocument>({
      name: 'web_codes',
      indexes: [{ keys: { expireAt: 1 }, expireAfterSeconds: 0 }],
    });
    this.#clock = clock;
  }

  async issue(grant: WebGrant): Promise<string> {
    const code = randomBytes(20).toString('hex');
    const expireAt = new Date(this.#clock.now() + MILLISECONDS);
    await this.#documents.insertOne({ ...grant, _id: sha256(code), expireAt });
    return code;
  }

  /** A code works once, whoever sends it. Null if it does not exist or has expired. */
  async take(code: string): Promise<WebGrant | null> {
    const found = await this.#documents.findOneAndDelete({ _id: sha256(code) });
    return found !== null && found.expireAt.getTime() > this.#clock.now() ? found : null;
  }
}
