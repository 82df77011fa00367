/** A user's authorizations: list, read, create, get or create, change and delete. */
import {
  insertWithin,
  isStorageError,
  type Application,
  type Auth,
  type Clock,
  type Collection,
  type Document,
  type Filter,
  type Secrets,
  type Storage,
} from 'plugboard/sdk';
import { appKey, personalKey, type AuthorizationDocument } from './documents.js';
import { errors, fieldError } from './errors.js';
import type { RecordedAuthorizations } from './recorded.js';
import type { Revocations } from './revocations.js';
import type { Config, CreateBody, GetOrCreateBody, UpdateBody } from './schema.js';
import { allowedScopes, changedScopes } from './scopes.js';
import { newToken, tokenHash } from './token.js';

interface CounterDocument extends Document {
  readonly value: number;
}

export interface AuthorizationParts {
  readonly storage: Storage;
  readonly documents: Collection<AuthorizationDocument>;
  readonly recorded: RecordedAuthorizations;
  readonly revocations: Revocations;
  readonly auth: Auth;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly config: Config;
}

/** An authorization with its token, or an empty one if it is not shown. */
export interface Shown {
  readonly document: AuthorizationDocument;
  readonly token: string;
}

interface NewAuthorization {
  readonly userId: number;
  readonly app: Application | null;
  readonly generation: number;
  readonly note: string | null;
  readonly noteUrl: string | null;
  readonly scopes: readonly string[];
  readonly fingerprint: string | null;
  readonly unique: string | undefined;
}

export class Authorizations {
  readonly #parts: AuthorizationParts;
  readonly #counters: Collection<CounterDocument>;
  readonly #allowed: ReadonlySet<string>;

  constructor(parts: AuthorizationParts) {
    this.#parts = parts;
    parts.secrets.keeps('tokens of authorizations', parts.documents, 'sealedToken', sealContext);
    this.#counters = parts.storage.collection<CounterDocument>({ name: 'counters' });
    this.#allowed = new Set(parts.config.scopes);
  }

  /** By id. `page` counts from 1. */
  async list(userId: number, page: number, perPage: number): Promise<{ shown: Shown[]; total: number }> {
    const filter = await this.#parts.revocations.living(userId);
    const { documents } = this.#parts;
    const [found, total] = await Promise.all([
      documents.find(filter, { sort: { id: 1 }, skip: (page - 1) * perPage, limit: perPage }).toArray(),
      documents.countDocuments(filter),
    ]);
    return { shown: found.map((document) => this.#shown(document)), total };
  }

  async read(userId: number, id: string): Promise<Shown> {
    return this.#shown(await this.#find(userId, id));
  }

  async create(userId: number, body: CreateBody): Promise<Shown> {
    const { note, note_url: noteUrl = null, fingerprint = null } = body;
    if (note.trim() === '') throw fieldError('description', 'missing_field');
    checkUrl(noteUrl);
    const scopes = allowedScopes(body.scopes ?? [], this.#allowed);
    const app = await this.#applicationOf(body);
    if (app === null) {
      const personal = { userId, app, generation: 0, note, noteUrl, scopes, fingerprint };
      return this.#insert({ ...personal, unique: personalKey(userId, note) }, 'description');
    }
    const generation = await this.#parts.revocations.generationOf(app.id);
    const key = { userId, appId: app.id, generation };
    const unique = fingerprint === null ? undefined : appKey(key, fingerprint);
    return this.#insert(
      { userId, app, generation, note, noteUrl, scopes, fingerprint, unique },
      'fingerprint',
    );
  }

  /** The oldest authorization for the application and fingerprint, unchanged whatever is asked; or a new one. */
  async getOrCreate(
    userId: number,
    clientId: string,
    { note = null, note_url: noteUrl = null, fingerprint = null, ...body }: GetOrCreateBody,
  ): Promise<Shown & { readonly created: boolean }> {
    const app = await this.#verified(clientId, body.client_secret);
    for (;;) {
      const generation = await this.#parts.revocations.generationOf(app.id);
      const key = { userId, appId: app.id, generation };
      const filter: Filter<AuthorizationDocument> = { ...key, fingerprint };
      const oldest = await this.#parts.documents.findOne(filter, { sort: { id: 1 } });
      if (oldest !== null) return { ...this.#shown(oldest), created: false };
      checkUrl(noteUrl);
      const scopes = allowedScopes(body.scopes ?? [], this.#allowed);
      const wanted = { userId, app, generation, note, noteUrl, scopes, fingerprint };
      const created = await this.#tryInsert({ ...wanted, unique: appKey(key, fingerprint) });
      // Undefined: another request was faster, and the next turn finds its result.
      if (created !== undefined) return { ...created, created: true };
    }
  }

  /** A new token for an application that the user has allowed; `scopes` are allowed ones. */
  async grant(userId: number, app: Application, scopes: readonly string[]): Promise<string> {
    const generation = await this.#parts.revocations.generationOf(app.id);
    const unnamed = { note: null, noteUrl: null, fingerprint: null, unique: undefined };
    return (await this.#insert({ userId, app, generation, scopes, ...unnamed }, 'client_id')).token;
  }

  async update(userId: number, id: string, body: UpdateBody): Promise<Shown> {
    const { note, note_url: noteUrl, fingerprint } = body;
    if (note?.trim() === '') throw fieldError('description', 'missing_field');
    if (noteUrl !== undefined) checkUrl(noteUrl);
    for (;;) {
      const before = await this.#find(userId, id);
      const { appId, revision } = before;
      const key = appId === null ? undefined : { userId, appId, generation: before.generation };
      const unique =
        key === undefined
          ? note !== undefined && personalKey(userId, note)
          : typeof fingerprint === 'string' && appKey(key, fingerprint);
      const changes = {
        scopes: changedScopes(before.scopes, body, this.#allowed),
        ...(note !== undefined && { note }),
        ...(noteUrl !== undefined && { noteUrl }),
        ...(fingerprint !== undefined && { fingerprint }),
        ...(unique !== false && { unique }),
        updatedAt: new Date(this.#parts.clock.now()),
        revision: revision + 1,
      };
      const changed = await this.#parts.recorded
        .findOneAndUpdate({ _id: before._id, revision }, { $set: changes })
        .catch((error: unknown) => {
          throw taken(error, appId === null ? 'description' : 'fingerprint');
        });
      if (changed !== null) return this.#shown(changed);
    }
  }

  async delete(userId: number, id: string): Promise<void> {
    const { _id } = await this.#find(userId, id);
    if ((await this.#parts.recorded.deleteOne({ _id })) === 0) throw errors.authorization_not_found();
  }

  /** The stored form of a token of the caller, by `tokenVisibility`. */
  sealedToken(id: string, token: string): string | null {
    const { secrets, config } = this.#parts;
    return config.tokenVisibility === 'always' ? secrets.seal(token, sealContext(id)) : null;
  }

  async #find(userId: number, id: string): Promise<AuthorizationDocument> {
    const document = ID.test(id) ? await this.#parts.documents.findOne({ _id: id, userId }) : null;
    if (document !== null && (await this.#parts.revocations.accepts(document))) return document;
    throw errors.authorization_not_found();
  }

  /** Null for a personal authorization. */
  async #applicationOf({ client_id: id, client_secret: secret }: CreateBody): Promise<Application | null> {
    if (id == null && secret == null) return null;
    if (id == null) throw fieldError('client_id', 'missing_field');
    if (secret == null) throw fieldError('client_secret', 'missing_field');
    return this.#verified(id, secret);
  }

  async #verified(clientId: string, secret: string): Promise<Application> {
    const app = await this.#parts.auth.apps.verify(clientId, secret);
    if (app === null) throw fieldError('client_id', 'invalid');
    return app;
  }

  async #insert(wanted: NewAuthorization, uniqueField: string): Promise<Shown> {
    const created = await this.#tryInsert(wanted);
    if (created === undefined) throw fieldError(uniqueField, 'already_exists');
    return created;
  }

  /** Undefined if an identical authorization already exists. */
  async #tryInsert({ app, unique, ...wanted }: NewAuthorization): Promise<Shown | undefined> {
    const { documents, recorded, clock, config } = this.#parts;
    // Before drawing a number, so that the common mistake leaves no gap; the index decides concurrent ones.
    if (unique !== undefined && (await documents.findOne({ unique })) !== null) return undefined;
    const id = await this.#nextId();
    const token = newToken();
    const now = new Date(clock.now());
    const document: AuthorizationDocument = {
      ...wanted,
      _id: String(id),
      id,
      appId: app?.id ?? null,
      app: app && { clientId: app.clientId, name: app.name, url: app.url },
      tokenHash: tokenHash(token) ?? '',
      sealedToken: this.sealedToken(String(id), token),
      ...(unique !== undefined && { unique }),
      revision: 1,
      createdAt: now,
      updatedAt: now,
    };
    try {
      if (!(await insertWithin(recorded, document, { userId: wanted.userId }, config.maxPerUser)))
        throw fieldError('user', 'custom', `a user may have ${config.maxPerUser} authorizations`);
    } catch (error) {
      if (isStorageError(error, 'duplicate_key')) return undefined;
      throw error;
    }
    return { document, token };
  }

  async #nextId(): Promise<number> {
    const counter = await this.#counters.findOneAndUpdate(
      { _id: 'authorizations' },
      { $inc: { value: 1 } },
      { upsert: true },
    );
    if (counter === null) throw new Error('an upsert answered no document');
    return counter.value;
  }

  #shown(document: AuthorizationDocument): Shown {
    const { secrets, config } = this.#parts;
    const { _id, sealedToken } = document;
    if (config.tokenVisibility !== 'always' || sealedToken === null) return { document, token: '' };
    try {
      return { document, token: secrets.open(sealedToken, sealContext(_id)) };
    } catch {
      // The key that sealed it is no longer listed. The token itself is still accepted.
      return { document, token: '' };
    }
  }
}

const ID = /^[1-9][0-9]{0,15}$/;

function sealContext(id: string): string {
  return `authorizations/${id}/token`;
}

function checkUrl(url: string | null): void {
  if (url === null) return;
  const protocol = URL.canParse(url) ? new URL(url).protocol : '';
  if (protocol !== 'http:' && protocol !== 'https:') throw fieldError('note_url', 'invalid');
}

function taken(error: unknown, field: string): unknown {
  return isStorageError(error, 'duplicate_key') ? fieldError(field, 'already_exists') : error;
}
