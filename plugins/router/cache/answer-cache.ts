/**
 * Cached answers to identical requests of the same tenant, in storage, so that all instances share them. Each request
 * hashes to one slot, shared with some others: the last one keeps it. So the cache has a fixed size and needs neither
 * counting nor eviction.
 */
import {
  ownerOf,
  principalId,
  sha256,
  type Clock,
  type Collection,
  type Document,
  type Logger,
  type Principal,
  type Secrets,
  type Storage,
} from 'plugboard/sdk';
import type { CacheSettings } from './schema.js';

interface EntryDocument extends Document {
  /** The hash of the request and of whose it is. */
  readonly request: string;
  /** Whose call it was, see `principalId`. */
  readonly key: string;
  readonly upstream: string;
  /** As it was sent to the client. */
  readonly sealed: string;
  readonly until: Date;
}

/** A conversation, as far as its answer depends on it. */
export interface Asked {
  readonly client: { readonly name: string };
  readonly model: string;
  readonly stream: boolean;
  /** Characters of the body. */
  readonly length: number;
  readonly fingerprint: string;
}

export interface CachedAnswer {
  readonly body: string;
  readonly upstream: string;
}

export interface AskedBy {
  readonly caller: Principal;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

export interface CacheEntry {
  /** Undefined if there is none, or it is too old. */
  read(): Promise<CachedAnswer | undefined>;
  /** Nobody waits for it. */
  write(answer: CachedAnswer): void;
  /** Characters of an answer that is kept. */
  readonly most: number;
}

export interface CacheParts {
  readonly storage: Storage;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly log: Logger;
  /** What else an answer depends on: another text finds none of the answers before. */
  readonly salt: string;
}

/** Characters of a request: hashing more of each call would cost more than most hits are worth. */
const LONGEST = 1_000_000;
/** Writes under way; what comes beyond them is not kept. */
const MOST_WRITES = 100;

export class AnswerCache {
  readonly #settings: CacheSettings;
  readonly #parts: CacheParts;
  readonly #entries: Collection<EntryDocument>;
  readonly #writes = new Set<Promise<void>>();

  constructor(settings: CacheSettings, parts: CacheParts) {
    this.#settings = settings;
    this.#parts = parts;
    this.#entries = parts.storage.collection<EntryDocument>({
      name: 'answers',
      indexes: [{ keys: { until: 1 }, expireAfterSeconds: 0 }, { keys: { key: 1 } }],
    });
  }

  /** Undefined for a call that is not to be cached, by the config or by its own word. */
  entryOf(asked: Asked, { caller, headers }: AskedBy): CacheEntry | undefined {
    const { when, entries, maxEntryBytes: most } = this.#settings;
    const wishes = String(headers['cache-control'] ?? '').toLowerCase();
    if (wishes.includes('no-store') || asked.length > LONGEST) return undefined;
    if (when === 'asked' && headers['x-plugboard-cache'] !== 'use') return undefined;
    const { client, model, stream, fingerprint } = asked;
    const beta = headers['anthropic-beta'];
    const parts = [this.#parts.salt, ownerOf(caller), client.name, model, stream, beta, fingerprint];
    const request = sha256(JSON.stringify(parts));
    const _id = String(Number.parseInt(request.slice(0, 12), 16) % entries);
    const key = principalId(caller);
    return {
      read: async () => (wishes.includes('no-cache') ? undefined : this.#read(_id, request)),
      write: ({ body, upstream }) => {
        if (body.length > most || this.#writes.size >= MOST_WRITES) return;
        const until = new Date(this.#parts.clock.now() + this.#settings.ttl * 1_000);
        const sealed = this.#parts.secrets.seal(body, contextOf(request));
        const write = this.#write({ _id, request, key, upstream, sealed, until });
        this.#writes.add(write);
        void write.finally(() => this.#writes.delete(write));
      },
      most,
    };
  }

  /** Removes what the keys were answered. Answers how much it was. */
  async forget(keys: readonly string[]): Promise<number> {
    await this.close();
    return this.#entries.deleteMany({ key: { $in: [...keys] } });
  }

  /** Waits for what is being written. */
  async close(): Promise<void> {
    await Promise.all(this.#writes);
  }

  /** A cache that fails is one that has nothing. */
  async #read(_id: string, request: string): Promise<CachedAnswer | undefined> {
    try {
      const found = await this.#entries.findOne({ _id });
      if (found?.request !== request || found.until.getTime() <= this.#parts.clock.now()) return undefined;
      return { body: this.#parts.secrets.open(found.sealed, contextOf(request)), upstream: found.upstream };
    } catch (error) {
      this.#parts.log.warn({ err: error }, 'a cached answer cannot be read');
      return undefined;
    }
  }

  async #write(entry: EntryDocument): Promise<void> {
    try {
      await this.#entries.replaceOne({ _id: entry._id }, entry, { upsert: true });
    } catch (error) {
      this.#parts.log.warn({ err: error }, 'an answer was not cached');
    }
  }
}

function contextOf(request: string): string {
  return `router/answers/${request}`;
}
