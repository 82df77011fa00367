/** Upstreams that were added by API, their keys sealed. A change holds at once where it was made, within `EVERY` elsewhere. */
import type { Collection, Document, Logger, Secrets, Storage } from 'plugboard/sdk';
import type { UpstreamSettings } from '../schema.js';
import { SECRET_MEMBERS, type SecretMember } from './schema.js';

interface UpstreamDocument extends Document {
  readonly settings: Omit<UpstreamSettings, 'name' | SecretMember>;
  /** The keys and headers as JSON. */
  readonly sealed: string;
}

/** Milliseconds. */
const EVERY = 5_000;
export const MOST_UPSTREAMS = 100;

export interface StoredParts {
  readonly storage: Storage;
  readonly secrets: Secrets;
  readonly log: Logger;
  /** Told of all of them, whenever they were read. */
  readonly follow: (upstreams: readonly UpstreamSettings[]) => Promise<void>;
}

export class StoredUpstreams {
  readonly #documents: Collection<UpstreamDocument>;
  readonly #parts: StoredParts;
  readonly #timer: NodeJS.Timeout;
  /** One at a time: an older list must not come behind a newer one. */
  #reading = Promise.resolve();
  /** That could not be opened, and were said so. */
  readonly #unopened = new Set<string>();

  constructor(parts: StoredParts) {
    this.#documents = parts.storage.collection<UpstreamDocument>({ name: 'upstreams', indexes: [] });
    parts.secrets.keeps('keys of upstreams', this.#documents, 'sealed', contextOf);
    this.#parts = parts;
    this.#timer = setInterval(() => {
      this.read().catch((error: unknown) => parts.log.warn({ err: error }, 'upstreams were not read anew'));
    }, EVERY).unref();
  }

  read(): Promise<void> {
    const reading = this.#reading.then(async () => this.#parts.follow(await this.list()));
    this.#reading = reading.catch(() => {});
    return reading;
  }

  async list(): Promise<UpstreamSettings[]> {
    const found = await this.#documents.find({}, { sort: { _id: 1 }, limit: MOST_UPSTREAMS }).toArray();
    return found.flatMap((document) => this.#opened(document) ?? []);
  }

  async get(name: string): Promise<UpstreamSettings | undefined> {
    const found = await this.#documents.findOne({ _id: name });
    return found === null ? undefined : this.#opened(found);
  }

  async put({ name, ...all }: UpstreamSettings): Promise<void> {
    const secret = Object.fromEntries(SECRET_MEMBERS.map((member) => [member, all[member]]));
    const settings = Object.fromEntries(
      Object.entries(all).filter(([member]) => !(SECRET_MEMBERS as readonly string[]).includes(member)),
    ) as UpstreamDocument['settings'];
    const sealed = this.#parts.secrets.seal(JSON.stringify(secret), contextOf(name));
    await this.#documents.replaceOne({ _id: name }, { _id: name, settings, sealed }, { upsert: true });
    await this.read();
  }

  /** False when there was none. */
  async delete(name: string): Promise<boolean> {
    const deleted = await this.#documents.deleteOne({ _id: name });
    await this.read();
    return deleted > 0;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #opened({ _id: name, settings, sealed }: UpstreamDocument): UpstreamSettings | undefined {
    try {
      const secret = JSON.parse(this.#parts.secrets.open(sealed, contextOf(name))) as Pick<
        UpstreamSettings,
        SecretMember
      >;
      return { name, ...settings, ...secret };
    } catch (error) {
      if (!this.#unopened.has(sealed))
        this.#parts.log.error(
          { err: error, upstream: name },
          'the keys of an upstream cannot be opened, and it gets no calls: give it new ones, or list the key that sealed them',
        );
      this.#unopened.add(sealed);
      return undefined;
    }
  }
}

function contextOf(name: string): string {
  return `router/upstreams/${name}`;
}
