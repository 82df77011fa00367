/** Account links in storage. Each step is one atomic write, so only one of two concurrent browsers gets the link. */
import { randomBytes } from 'node:crypto';
import type { Clock, Collection, Storage, Transaction } from 'plugboard/sdk';
import { hashOf, type LinkDocument, type UseCase } from './link.js';

const MINUTE = 60_000;
/** Duration of a session. */
const SESSION = 60 * MINUTE;
const KEPT = 30 * 24 * 60 * MINUTE;
/** Forms of one session: completing an account takes a few dozen. */
const MOST_FORMS = 200;

export interface NewLink {
  readonly key: string;
  readonly platform: string;
  readonly account: string;
  readonly useCase: UseCase;
  readonly fingerprint: string | null;
}

export class LinkStore {
  readonly #collection: Collection<LinkDocument>;
  readonly #clock: Clock;
  readonly #life: number;

  /** `minutes` in which an unopened link can be opened. */
  constructor(storage: Storage, clock: Clock, minutes: number) {
    this.#collection = storage.collection<LinkDocument>({
      name: 'account_links',
      indexes: [{ keys: { removeAt: 1 }, expireAfterSeconds: 0 }],
    });
    this.#clock = clock;
    this.#life = minutes * MINUTE;
  }

  /** Returns the existing link if the same request has created it. */
  async create({ key, platform, account, useCase, fingerprint }: NewLink) {
    const now = this.#clock.now();
    const document: LinkDocument = {
      _id: hashOf(key),
      platform,
      account,
      useCase: JSON.stringify(useCase),
      createdAt: new Date(now),
      expiresAt: new Date(now + this.#life),
      removeAt: new Date(now + KEPT),
      session: null,
      sessionExpiresAt: null,
      forms: MOST_FORMS,
      fingerprint,
    };
    const { upsertedId } = await this.#collection.updateOne(
      { _id: document._id },
      { $setOnInsert: document },
      { upsert: true },
    );
    const link = upsertedId === null ? await this.find(document._id) : document;
    return { link: link ?? document, isNew: upsertedId !== null };
  }

  find(id: string): Promise<LinkDocument | null> {
    return this.#collection.findOne({ _id: id });
  }

  canOpen({ session, expiresAt }: LinkDocument): boolean {
    return session === null && expiresAt.getTime() > this.#clock.now();
  }

  /** The session token for the browser that opens the link; undefined if the link is used or too old. */
  async open(id: string): Promise<string | undefined> {
    const now = this.#clock.now();
    const token = randomBytes(32).toString('base64url');
    const { matched } = await this.#collection.updateOne(
      { _id: id, session: null, expiresAt: { $gt: new Date(now) } },
      { $set: { session: hashOf(token), sessionExpiresAt: new Date(now + SESSION) } },
    );
    return matched === 1 ? token : undefined;
  }

  /** Whether the browser with this token may continue. */
  isOpen(link: LinkDocument, token: string | undefined): boolean {
    const { session, sessionExpiresAt: end } = link;
    return (
      token !== undefined && session === hashOf(token) && end !== null && end.getTime() > this.#clock.now()
    );
  }

  /** Counts a form. False if the session has sent too many, or has ended. */
  async take({ _id, session }: LinkDocument): Promise<boolean> {
    const { matched } = await this.#collection.updateOne(
      { _id, session, forms: { $gt: 0 } },
      { $inc: { forms: -1 } },
    );
    return matched === 1;
  }

  /** Ends the session, in the transaction of its last change. */
  async end(tx: Transaction, { _id }: LinkDocument): Promise<void> {
    await this.#collection.with(tx).updateOne({ _id }, { $set: { sessionExpiresAt: new Date(0) } });
  }
}
