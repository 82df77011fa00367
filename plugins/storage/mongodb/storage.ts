/** The storage port on MongoDB: a namespace of collections for each plugin, transactions, ping. */
import type { Db } from 'mongodb';
import {
  type Clock,
  type Collection,
  type CollectionSpec,
  type Document,
  type Logger,
  Semaphore,
  type Storage,
  StorageError,
  type Transaction,
} from 'plugboard/sdk';
import { MongoCollection } from './collection.js';
import type { Connection } from './connection.js';
import { storageError } from './errors.js';
import { OpenCollection } from './open-collection.js';
import { StoredVersions } from '../versions.js';
import { runTransaction } from './transaction.js';

export interface MongoStorageOptions {
  readonly connection: Connection;
  readonly clock: Clock;
  readonly log: Logger;
  /** Milliseconds for which a transaction is retried after conflicts. */
  readonly transactionDeadline: number;
}

/** Shared by all namespaces. */
interface Shared {
  /** By full name. */
  readonly open: Map<string, OpenCollection>;
  readonly lanes: Semaphore;
}

/** The store as a whole. A plugin gets `forPlugin(id)`: its collections are called `id.name`. */
export class MongoStorage implements Storage {
  readonly directory = undefined;
  readonly #options: MongoStorageOptions;
  readonly #namespace: string;
  readonly #shared: Shared;
  readonly #versions: StoredVersions;

  constructor(
    options: MongoStorageOptions,
    namespace = 'plugboard',
    shared: Shared = { open: new Map(), lanes: new Semaphore(1) },
    versions = new StoredVersions(),
  ) {
    this.#options = options;
    this.#namespace = namespace;
    this.#shared = shared;
    this.#versions = versions;
  }

  forPlugin(pluginId: string, versions?: StoredVersions): MongoStorage {
    return new MongoStorage(this.#options, pluginId, this.#shared, versions);
  }

  collection<D extends Document>(spec: CollectionSpec): Collection<D> {
    if (!/^[a-z0-9_]+$/.test(spec.name))
      throw new StorageError(
        'invalid',
        `invalid collection name "${spec.name}": use lower case letters, digits and _`,
      );
    this.#versions.declare(this.#namespace, spec);
    const fullName = `${this.#namespace}.${spec.name}`;
    let open = this.#shared.open.get(fullName);
    if (open === undefined) {
      const { connection, clock, log } = this.#options;
      open = new OpenCollection({ fullName, connection, clock, log });
      this.#shared.open.set(fullName, open);
    }
    open.declare(spec);
    return new MongoCollection<D>(open);
  }

  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const { connection, transactionDeadline } = this.#options;
    if (connection.deployment === 'standalone')
      throw new StorageError(
        'unsupported',
        'transactions need a replica set; a single mongod started with --replSet is one',
      );
    // Indexes cannot be created inside.
    await this.#eachOpen((open) => open.usable());
    return runTransaction(connection.client, work, transactionDeadline, this.#shared.lanes);
  }

  async ping(): Promise<void> {
    try {
      await this.#db.command({ ping: 1 });
    } catch (error) {
      throw storageError(error);
    }
  }

  /** Creates every missing declared collection and index. */
  ready(): Promise<void> {
    return this.#eachOpen((open) => open.ready());
  }

  async #eachOpen(work: (open: OpenCollection) => Promise<void>): Promise<void> {
    // A catalog may declare hundreds: all at once, most would wait for a connection until that times out.
    const waiting = this.#shared.open.values();
    const inTurn = async (): Promise<void> => {
      for (const open of waiting) await work(open);
    };
    await Promise.all(Array.from({ length: 4 }, inTurn));
  }

  /** The collections of all plugins, as `namespace/name`; without others in this database. */
  async collections(): Promise<string[]> {
    try {
      const found = await this.#db.listCollections({ type: 'collection' }, { nameOnly: true }).toArray();
      return found.flatMap(({ name }) => {
        const parts = /^(?!system\.)([^.]+)\.([a-z0-9_]+)$/.exec(name);
        return parts === null ? [] : [`${parts[1]}/${parts[2]}`];
      });
    } catch (error) {
      throw storageError(error);
    }
  }

  /** Opens a collection with whatever indexes it has; creates it if missing. */
  async existing<D extends Document>(fullName: string): Promise<Collection<D>> {
    const [namespace = '', name = ''] = fullName.split('/');
    return this.forPlugin(namespace).collection<D>({ name });
  }

  get #db(): Db {
    return this.#options.connection.db;
  }
}
