/** Tokens of accounts and of persons: data sent ahead, usable once within ten minutes. */
import type { Clock, Collection, Document, Secrets, Storage, Transaction } from 'plugboard/sdk';
import { randomId } from '../account/id.js';
import { Refused, type Refusal } from '../errors/errors.js';
import type { AccountBody } from '../schema/bodies.js';
import type { FixtureData } from '../schema/fixture.js';

/** Its id combines platform and token: fixtures of two platforms may have the same name. */
interface TokenDocument extends Document {
  readonly of: 'account' | 'person';
  /** The account that a person token is for. */
  readonly account?: string;
  /** The sealed JSON of the token's contents. */
  readonly sealed: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** When it is deleted: until then it is reported as expired rather than unknown. */
  readonly removeAt: Date;
  /** The request that used it. */
  readonly usedBy: string | null;
  /** Of the request that created it, if that had an idempotency key. */
  readonly fingerprint: string | null;
}

export interface AccountToken {
  readonly id: string;
  readonly created: Date;
  readonly expiresAt: Date;
  readonly used: boolean;
}

/** Allowed contents of an account token. */
export type TokenPayload = Pick<AccountBody, 'contact_email' | 'contact_phone' | 'display_name' | 'identity'>;

/** What a token is for. */
export type TokenUse = { readonly of: 'account' } | { readonly of: 'person'; readonly account: string };

const PREFIXES = { account: 'accttok_', person: 'perstok_' } as const;
const LIFE = 10 * 60_000;
const KEPT = 30 * 86_400_000;

/** Tokens of version 1 of the interface. */
const V1_TOKEN = /^(?:ct|tok|btok|pii|cvctok)_/;

export class AccountTokens {
  readonly #collection: Collection<TokenDocument>;
  readonly #clock: Clock;
  readonly #secrets: Secrets;

  constructor(storage: Storage, clock: Clock, secrets: Secrets) {
    this.#collection = storage.collection<TokenDocument>({
      name: 'account_tokens',
      indexes: [{ keys: { removeAt: 1 }, expireAfterSeconds: 0 }],
    });
    this.#clock = clock;
    this.#secrets = secrets;
  }

  /** With an `origin` (an id derived from the idempotency key) a repeated request makes one token. */
  async create(
    platform: string,
    use: TokenUse,
    payload: object,
    origin?: { id: string; fingerprint: string },
  ): Promise<{ token: AccountToken; isNew: boolean; fingerprint: string | null }> {
    const now = this.#clock.now();
    const id = `${PREFIXES[use.of]}${origin?.id ?? randomId()}`;
    const document: TokenDocument = {
      _id: keyOf(platform, id),
      ...use,
      sealed: this.#secrets.seal(JSON.stringify(payload), contextOf(id)),
      createdAt: new Date(now),
      expiresAt: new Date(now + LIFE),
      removeAt: new Date(now + KEPT),
      usedBy: null,
      fingerprint: origin?.fingerprint ?? null,
    };
    const { upsertedId } = await this.#collection.updateOne(
      { _id: document._id },
      { $setOnInsert: document },
      { upsert: true },
    );
    const stored = upsertedId === null ? await this.#collection.findOne({ _id: document._id }) : document;
    return {
      token: shown(stored ?? document),
      isNew: upsertedId !== null,
      fingerprint: stored?.fingerprint ?? null,
    };
  }

  async find(platform: string, use: TokenUse, id: string): Promise<AccountToken | undefined> {
    const found = await this.#collection.findOne({ _id: keyOf(platform, id), ...use });
    return found === null ? undefined : shown(found);
  }

  /** A token in any state, for tests of clients. */
  async put(platform: string, { id, of = 'account', expires_at, used }: FixtureData): Promise<void> {
    const now = this.#clock.now();
    const document: TokenDocument = {
      _id: keyOf(platform, id),
      of,
      sealed: this.#secrets.seal('{}', contextOf(id)),
      createdAt: new Date(now),
      expiresAt: expires_at === undefined ? new Date(now + LIFE) : new Date(expires_at),
      removeAt: new Date(now + KEPT),
      usedBy: used === true ? 'fixture' : null,
      fingerprint: null,
    };
    await this.#collection.replaceOne({ _id: document._id }, document, { upsert: true });
  }

  /** The token's contents. `request` may use it again. */
  async redeem<P extends object>(
    platform: string,
    token: string,
    request: string,
    use: TokenUse,
  ): Promise<P> {
    if (V1_TOKEN.test(token))
      throw new Refused({
        code: 'v1_token_invalid_in_v2',
        message: `${use.of}_token is a token of the first version of the interface`,
      });
    const found = await this.#collection.findOne({ _id: keyOf(platform, token) });
    const refusal = found === null ? unknown(use) : this.#refuse(found, request, use);
    if (found === null || refusal !== undefined) throw new Refused(refusal ?? unknown(use));
    return this.#opened<P>(found.sealed, token, use);
  }

  /** A token sealed with a key that is no longer listed counts as unknown. */
  #opened<P extends object>(sealed: string, token: string, use: TokenUse): P {
    let text: string;
    try {
      text = this.#secrets.open(sealed, contextOf(token));
    } catch (cause) {
      throw new Refused(unknown(use), { cause });
    }
    return JSON.parse(text) as P;
  }

  /** Part of the transaction that stores the account. */
  async use(tx: Transaction, platform: string, token: string, request: string): Promise<void> {
    const { matched } = await this.#collection
      .with(tx)
      .updateOne(
        { _id: keyOf(platform, token), usedBy: { $in: [null, request] } },
        { $set: { usedBy: request } },
      );
    if (matched === 0) throw new Refused(USED);
  }

  #refuse({ of, account, usedBy, expiresAt }: TokenDocument, request: string, use: TokenUse) {
    if (of !== use.of)
      return {
        code: 'incorrect_token_wrong_type',
        message: `${use.of}_token is a token for ${of === 'account' ? 'an account' : 'a person'}`,
      } as const;
    if (use.of === 'person' && account !== undefined && account !== use.account)
      return {
        code: 'incorrect_account_for_person_token',
        message: 'person_token was made for a person of another account',
      } as const;
    if (usedBy !== null && usedBy !== request) return USED;
    return this.#clock.now() >= expiresAt.getTime()
      ? ({
          code: 'token_expired',
          message: `${use.of}_token expired at ${expiresAt.toISOString()}`,
        } as const)
      : undefined;
  }
}

function unknown({ of }: TokenUse): Refusal {
  return {
    code: of === 'account' ? 'invalid_account_token' : 'invalid_person_token',
    message: `${of}_token is not a token of this platform`,
  };
}

const USED: Refusal = { code: 'token_already_used', message: 'the token was used by another request' };

function keyOf(platform: string, id: string): string {
  return `${platform}|${id}`;
}

function contextOf(id: string): string {
  return `account_token:${id}`;
}

function shown({ _id, createdAt, expiresAt, usedBy }: TokenDocument): AccountToken {
  return { id: _id.slice(_id.indexOf('|') + 1), created: createdAt, expiresAt, used: usedBy !== null };
}
