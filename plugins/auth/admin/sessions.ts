/** Management sessions: random tokens, stored as hashes, ended by expiry or at once. */
import { type Clock, type Collection, type Document, randomToken, sha256, type Storage } from 'plugboard/sdk';

interface SessionDocument extends Document {
  /** The user's number; absent for the administrator of the first start. */
  readonly user?: number;
  /** Of the client that logged in. */
  readonly address?: string;
  readonly agent?: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** Who begins a session, and from where. */
export interface Visitor {
  readonly user?: number;
  readonly address: string;
  readonly agent: string;
}

export interface Session {
  /** SHA-256 of the token. */
  readonly id: string;
  readonly user: number | undefined;
  readonly expiresAt: Date;
  /** The lifetime was just extended: the cookie must be sent again. */
  readonly extended: boolean;
}

/** The public view of a session. */
export interface ShownSession {
  readonly id: string;
  readonly user: number | null;
  readonly address: string | null;
  readonly agent: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

const LONGEST_AGENT = 300;
/** Sessions per list. */
const LISTED = 500;

/** Milliseconds of lifetime to lose before a use extends the session, so that not every request writes. */
const EXTEND_AFTER = 60_000;

/**
 * Not cached: management calls are few, and an ended session has thus ended on every instance.
 */
export class Sessions {
  readonly #documents: Collection<SessionDocument>;
  readonly #clock: Clock;
  /** Milliseconds from the last use. */
  readonly lifetime: number;

  constructor(storage: Storage, lifetime: number, clock: Clock) {
    this.#documents = storage.collection<SessionDocument>({
      name: 'sessions',
      indexes: [{ keys: { expiresAt: 1 }, expireAfterSeconds: 0 }, { keys: { user: 1, createdAt: -1 } }],
    });
    this.lifetime = lifetime;
    this.#clock = clock;
  }

  /** The token of a new session. */
  async begin({ user, address, agent }: Visitor): Promise<string> {
    const token = randomToken();
    await this.#documents.insertOne({
      _id: sha256(token),
      ...(user !== undefined && { user }),
      address,
      agent: agent.slice(0, LONGEST_AGENT),
      createdAt: new Date(this.#clock.now()),
      expiresAt: this.#expiry(),
    });
    return token;
  }

  /** The live session of a token, its lifetime extended by this use. */
  async use(token: string): Promise<Session | undefined> {
    const id = sha256(token);
    const now = new Date(this.#clock.now());
    const session = await this.#documents.findOne({ _id: id });
    if (session === null || session.expiresAt <= now) return undefined;
    const expiresAt = this.#expiry();
    if (expiresAt.getTime() - session.expiresAt.getTime() < EXTEND_AFTER) {
      return { id, user: session.user, expiresAt: session.expiresAt, extended: false };
    }
    // Matches only live sessions: one that ended meanwhile does not come back.
    const { matched } = await this.#documents.updateOne(
      { _id: id, expiresAt: { $gt: now } },
      { $set: { expiresAt } },
    );
    return matched === 1 ? { id, user: session.user, expiresAt, extended: true } : undefined;
  }

  async end(token: string): Promise<void> {
    await this.#documents.deleteOne({ _id: sha256(token) });
  }

  /** Ends a user's sessions (undefined: the administrator of the first start) except the one with this id. */
  async endOthers(user: number | undefined, id: string | undefined): Promise<void> {
    const others = id === undefined ? {} : { _id: { $ne: id } };
    await this.#documents.deleteMany({ ...ofUser(user), ...others });
  }

  /** The live sessions, newest first; of one user if given. */
  async list(user?: number): Promise<ShownSession[]> {
    const now = new Date(this.#clock.now());
    const filter = { ...(user !== undefined && { user }), expiresAt: { $gt: now } };
    const found = await this.#documents.find(filter, { sort: { createdAt: -1 }, limit: LISTED }).toArray();
    return found.map(({ _id, user: of = null, address = null, agent = null, createdAt, expiresAt }) => ({
      id: _id,
      user: of,
      address,
      agent,
      createdAt,
      expiresAt,
    }));
  }

  /** False if there is no such session, or it belongs to a user other than the given one. */
  async endById(id: string, user?: number): Promise<boolean> {
    return (await this.#documents.deleteOne({ _id: id, ...(user !== undefined && { user }) })) > 0;
  }

  #expiry(): Date {
    return new Date(this.#clock.now() + this.lifetime);
  }
}

function ofUser(user: number | undefined): { user: number | null } {
  // Null also matches documents without the field.
  return { user: user ?? null };
}
