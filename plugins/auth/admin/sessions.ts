/** Management sessions: random tokens, kept on the server by their hash, ended by expiry or at once. */
import { type Clock, type Collection, type Document, randomToken, sha256, type Storage } from 'plugboard/sdk';

interface SessionDocument extends Document {
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export interface Session {
  /** SHA-256 of the token. */
  readonly id: string;
  readonly expiresAt: Date;
  /** The lifetime was just extended: the cookie must be sent again. */
  readonly extended: boolean;
}

/** A use extends a session that has lost this much of its lifetime, in milliseconds: not every request writes. */
const EXTEND_AFTER = 60_000;

/**
 * Nothing is cached: management calls are few, and so a session that has ended has ended on every instance.
 */
export class Sessions {
  readonly #documents: Collection<SessionDocument>;
  readonly #clock: Clock;
  /** Milliseconds from the last use. */
  readonly lifetime: number;

  constructor(storage: Storage, lifetime: number, clock: Clock) {
    this.#documents = storage.collection<SessionDocument>({
      name: 'sessions',
      indexes: [{ keys: { expiresAt: 1 }, expireAfterSeconds: 0 }],
    });
    this.lifetime = lifetime;
    this.#clock = clock;
  }

  /** The token of a new session. */
  async begin(): Promise<string> {
    const token = randomToken();
    await this.#documents.insertOne({
      _id: sha256(token),
      createdAt: new Date(this.#clock.now()),
      expiresAt: this.#expiry(),
    });
    return token;
  }

  /** The living session of a token, its lifetime extended by this use. */
  async use(token: string): Promise<Session | undefined> {
    const id = sha256(token);
    const now = new Date(this.#clock.now());
    const session = await this.#documents.findOne({ _id: id });
    if (session === null || session.expiresAt <= now) return undefined;
    const expiresAt = this.#expiry();
    if (expiresAt.getTime() - session.expiresAt.getTime() < EXTEND_AFTER) {
      return { id, expiresAt: session.expiresAt, extended: false };
    }
    // Matches only what still lives: a session that ended meanwhile does not come back.
    const { matched } = await this.#documents.updateOne(
      { _id: id, expiresAt: { $gt: now } },
      { $set: { expiresAt } },
    );
    return matched === 1 ? { id, expiresAt, extended: true } : undefined;
  }

  async end(token: string): Promise<void> {
    await this.#documents.deleteOne({ _id: sha256(token) });
  }

  /** Ends every session but the one with this id. */
  async endOthers(id: string | undefined): Promise<void> {
    await this.#documents.deleteMany(id === undefined ? {} : { _id: { $ne: id } });
  }

  #expiry(): Date {
    return new Date(this.#clock.now() + this.lifetime);
  }
}
