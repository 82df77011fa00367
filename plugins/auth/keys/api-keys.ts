/** API keys: created, listed, rotated, revoked. */
import {
  type Clock,
  type Collection,
  encodeCursor,
  isStorageError,
  type KnownKey,
  newId,
  sha256,
  type Storage,
} from 'plugboard/sdk';
import { errors } from '../errors.js';
import type { ApiKeyDocument, KeyUseDocument } from './key-document.js';
import { keyPreview, newApiKey } from './key-format.js';
import { behind, filterOf, NEWEST_FIRST, type KeyQuery } from './key-query.js';

/** The public view of a key. */
export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly preview: string;
  readonly scopes: readonly string[];
  readonly owner: string | null;
  readonly addresses: readonly string[];
  readonly publishable: boolean;
  /** For a rotated key: the previous text, and until when it works. */
  readonly previous: { readonly preview: string; readonly until: Date } | null;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  /** Precise to a minute. */
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
}

/** The input for a new key. */
export interface NewApiKey {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly owner?: string | null;
  readonly addresses?: readonly string[];
  readonly publishable?: boolean;
  readonly createdBy?: number;
  readonly expiresAt?: Date | null;
}

export interface KeyPage {
  readonly keys: ApiKey[];
  /** Over all pages. */
  readonly total: number;
  /** `after` of the next page; null on the last one. */
  readonly next: string | null;
}

export class ApiKeys {
  readonly documents: Collection<ApiKeyDocument>;
  readonly uses: Collection<KeyUseDocument>;
  readonly #clock: Clock;

  constructor(storage: Storage, clock: Clock) {
    this.documents = storage.collection<ApiKeyDocument>({
      name: 'keys',
      indexes: [
        { keys: { hash: 1 }, unique: true },
        { keys: { 'previous.hash': 1 }, sparse: true },
        { keys: { createdAt: -1, _id: -1 } },
        { keys: { createdBy: 1, createdAt: -1 } },
      ],
    });
    this.uses = storage.collection<KeyUseDocument>({ name: 'key_uses' });
    this.#clock = clock;
  }

  /** The only place that returns the key itself. */
  async create(wanted: NewApiKey): Promise<ApiKey & { readonly key: string }> {
    const { expiresAt = null } = wanted;
    if (expiresAt !== null && expiresAt.getTime() <= this.#clock.now())
      throw errors.expiry_passed({ param: 'expiresAt' });
    const key = newApiKey();
    const document = this.#document(newId(), key, wanted);
    await this.documents.insertOne(document);
    return { ...shown(document, null), key };
  }

  /**
   * Stores a key under an id that is unique in the deployment. False if another instance, or an earlier
   * start, has stored a key with this id or text.
   */
  async createOnce(id: string, key: string, wanted: NewApiKey): Promise<boolean> {
    try {
      await this.documents.insertOne(this.#document(id, key, wanted));
      return true;
    } catch (error) {
      if (isStorageError(error, 'duplicate_key')) return false;
      throw error;
    }
  }

  /**
   * Gives the key with this id this text; the previous text stops working. A revoked key stays revoked
   * until its text changes.
   */
  async keep(id: string, key: string, wanted: NewApiKey): Promise<void> {
    const created = await this.createOnce(id, key, wanted);
    await this.documents.updateOne({ _id: id, configured: null }, { $set: { configured: true } });
    if (created) return;
    const hash = sha256(key);
    const fields = { hash, preview: keyPreview(key), previous: null, revokedAt: null };
    try {
      await this.documents.updateOne({ _id: id, hash: { $ne: hash } }, { $set: fields });
    } catch (error) {
      // Another key has this text: it works as that key.
      if (!isStorageError(error, 'duplicate_key')) throw error;
    }
  }

  /** All, newest first. */
  async list(): Promise<ApiKey[]> {
    return this.#shown(await this.documents.find({}, { sort: NEWEST_FIRST }).toArray());
  }

  /** Newest first; only those that a user made as a member, if given. */
  async page({ limit, after, ...wanted }: KeyQuery, createdBy?: number): Promise<KeyPage> {
    const filter = filterOf(wanted, createdBy, new Date(this.#clock.now()));
    const from = after === undefined ? filter : { $and: [filter, behind(after)] };
    const [found, total] = await Promise.all([
      // One extra row tells whether there is a next page.
      this.documents.find(from, { sort: NEWEST_FIRST, limit: limit + 1 }).toArray(),
      this.documents.countDocuments(filter),
    ]);
    const page = found.slice(0, limit);
    const last = found.length > limit ? page.at(-1) : undefined;
    const next = last === undefined ? null : encodeCursor([last.createdAt.getTime(), last._id]);
    return { keys: await this.#shown(page), total, next };
  }

  async byId(id: string): Promise<KnownKey | null> {
    const document = await this.documents.findOne({ _id: id });
    return document && { id, name: document.name };
  }

  async read(id: string, createdBy?: number): Promise<ApiKey> {
    const [document, use] = await Promise.all([
      this.documents.findOne({ _id: id, ...(createdBy !== undefined && { createdBy }) }),
      this.uses.findOne({ _id: id }),
    ]);
    if (document === null) throw errors.key_not_found({ values: { id } });
    return shown(document, use?.lastUsedAt ?? null);
  }

  /** The ids of the keys that a user made as a member. */
  async madeBy(user: number): Promise<readonly string[]> {
    const found = await this.documents.find({ createdBy: user }, { projection: { _id: 1 } }).toArray();
    return found.map(({ _id }) => _id);
  }

  /** Revokes the keys that a user made; the names may be personal data. */
  async forgetMaker(user: number): Promise<void> {
    await this.documents.updateMany(
      { createdBy: user, revokedAt: null },
      { $set: { revokedAt: new Date(this.#clock.now()) } },
    );
    await this.documents.updateMany(
      { createdBy: user },
      { $set: { name: 'of an erased user' }, $unset: { createdBy: true } },
    );
  }

  /**
   * Gives the same key a new text, so that it keeps what it owns. The old text works until `until`; one left by an
   * earlier rotation stops at once.
   */
  async rotate(id: string, until: Date, createdBy?: number): Promise<ApiKey & { readonly key: string }> {
    const { hash, preview, revokedAt, expiresAt, configured } = await this.#find(id, createdBy);
    if (configured === true) throw errors.key_configured();
    const now = this.#clock.now();
    if (revokedAt !== null || (expiresAt !== null && expiresAt.getTime() <= now)) throw errors.key_ended();
    const key = newApiKey();
    const rotated = await this.documents.updateOne(
      { _id: id, hash, revokedAt: null },
      { $set: { hash: sha256(key), preview: keyPreview(key), previous: { hash, preview, until } } },
    );
    // Of two concurrent rotations one fails: its caller would get a text that never worked.
    if (rotated.matched === 0) throw errors.key_changed();
    return { ...(await this.read(id, createdBy)), key };
  }

  /** The text before a rotation stops working at once. */
  async endPrevious(id: string, createdBy?: number): Promise<ApiKey> {
    await this.#find(id, createdBy);
    await this.documents.updateOne({ _id: id }, { $set: { previous: null } });
    return this.read(id, createdBy);
  }

  /** A revoked key stays in the list, so that what it owns can be named. Idempotent. */
  async revoke(id: string, createdBy?: number): Promise<ApiKey> {
    await this.documents.updateOne(
      { _id: id, revokedAt: null, ...(createdBy !== undefined && { createdBy }) },
      { $set: { revokedAt: new Date(this.#clock.now()) } },
    );
    return this.read(id, createdBy);
  }

  async #shown(documents: readonly ApiKeyDocument[]): Promise<ApiKey[]> {
    const uses = await this.uses.find({ _id: { $in: documents.map(({ _id }) => _id) } }).toArray();
    const lastUsedAt = new Map(uses.map((use) => [use._id, use.lastUsedAt] as const));
    return documents.map((document) => shown(document, lastUsedAt.get(document._id) ?? null));
  }

  async #find(id: string, createdBy: number | undefined): Promise<ApiKeyDocument> {
    const owned = createdBy === undefined ? {} : { createdBy };
    const document = await this.documents.findOne({ _id: id, ...owned });
    if (document === null) throw errors.key_not_found({ values: { id } });
    return document;
  }

  #document(id: string, key: string, wanted: NewApiKey): ApiKeyDocument {
    const {
      name,
      scopes,
      owner = null,
      addresses = [],
      publishable = false,
      createdBy,
      expiresAt = null,
    } = wanted;
    return {
      _id: id,
      name,
      hash: sha256(key),
      preview: keyPreview(key),
      scopes: [...new Set(scopes)],
      owner,
      addresses: [...new Set(addresses)],
      publishable,
      ...(createdBy !== undefined && { createdBy }),
      createdAt: new Date(this.#clock.now()),
      expiresAt,
      revokedAt: null,
    };
  }
}

function shown(
  { _id, hash: _, createdBy: __, configured: ___, previous, ...document }: ApiKeyDocument,
  lastUsedAt: Date | null,
): ApiKey {
  return {
    id: _id,
    owner: null,
    addresses: [],
    publishable: false,
    ...document,
    previous: previous == null ? null : { preview: previous.preview, until: previous.until },
    lastUsedAt,
  };
}
