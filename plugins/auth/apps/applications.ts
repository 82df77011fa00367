/** Applications at rest: a client id of 20 characters, and the SHA-256 of a secret of 40. */
import { randomBytes } from 'node:crypto';
import {
  type Application,
  type Clock,
  type Collection,
  constantTimeEqual,
  type Document,
  newId,
  sha256,
  type Storage,
} from 'plugboard/sdk';
import { errors } from '../errors.js';

interface ApplicationDocument extends Document {
  readonly clientId: string;
  /** 160 random bits need no slow hash. */
  readonly secretHash: string;
  readonly name: string;
  readonly url: string;
  readonly createdAt: Date;
}

/** The management's view of an application. */
export interface RegisteredApplication extends Application {
  readonly createdAt: Date;
}

export interface NewApplication {
  readonly name: string;
  readonly url: string;
}

/** With the client secret, which is shown once. */
export type IssuedApplication = RegisteredApplication & { readonly clientSecret: string };

export class Applications {
  readonly #documents: Collection<ApplicationDocument>;
  readonly #clock: Clock;

  constructor(storage: Storage, clock: Clock) {
    this.#documents = storage.collection<ApplicationDocument>({
      name: 'apps',
      indexes: [{ keys: { clientId: 1 }, unique: true }, { keys: { name: 1, _id: 1 } }],
    });
    this.#clock = clock;
  }

  async create({ name, url }: NewApplication): Promise<IssuedApplication> {
    const clientSecret = newClientSecret();
    const document: ApplicationDocument = {
      _id: newId(),
      clientId: randomBytes(10).toString('hex'),
      secretHash: sha256(clientSecret),
      name,
      url,
      createdAt: new Date(this.#clock.now()),
    };
    await this.#documents.insertOne(document);
    return { ...shown(document), clientSecret };
  }

  /** By name. */
  async list(): Promise<RegisteredApplication[]> {
    const documents = await this.#documents.find({}, { sort: { name: 1, _id: 1 } }).toArray();
    return documents.map(shown);
  }

  async read(id: string): Promise<RegisteredApplication> {
    return shown(found(await this.#documents.findOne({ _id: id }), id));
  }

  async change(id: string, changes: Partial<NewApplication>): Promise<RegisteredApplication> {
    if (Object.keys(changes).length === 0) return this.read(id);
    return shown(found(await this.#documents.findOneAndUpdate({ _id: id }, { $set: changes }), id));
  }

  /** The old secret stops working at once. */
  async renewSecret(id: string): Promise<IssuedApplication> {
    const clientSecret = newClientSecret();
    const update = { $set: { secretHash: sha256(clientSecret) } };
    const document = found(await this.#documents.findOneAndUpdate({ _id: id }, update), id);
    return { ...shown(document), clientSecret };
  }

  async delete(id: string): Promise<void> {
    const deleted = await this.#documents.deleteOne({ _id: id });
    if (deleted === 0) throw errors.app_not_found({ values: { id } });
  }

  async byClientId(clientId: string): Promise<Application | null> {
    const document = await this.#documents.findOne({ clientId });
    return document === null ? null : application(document);
  }

  /** In the same time for an unknown client id and for a wrong secret. */
  async verify(clientId: string, clientSecret: string): Promise<Application | null> {
    const document = await this.#documents.findOne({ clientId });
    const isRight = constantTimeEqual(sha256(clientSecret), document?.secretHash ?? sha256(''));
    return document !== null && isRight ? application(document) : null;
  }
}

function newClientSecret(): string {
  return randomBytes(20).toString('hex');
}

function found(document: ApplicationDocument | null, id: string): ApplicationDocument {
  if (document === null) throw errors.app_not_found({ values: { id } });
  return document;
}

function application({ _id, clientId, name, url }: ApplicationDocument): Application {
  return { id: _id, clientId, name, url };
}

function shown(document: ApplicationDocument): RegisteredApplication {
  return { ...application(document), createdAt: document.createdAt };
}
