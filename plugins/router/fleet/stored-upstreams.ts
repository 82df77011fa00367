/** Upstreams that were added by API, their keys sealed. */
import type { Collection, Document, Logger, Secrets, Storage } from 'plugboard/sdk';
import { Added } from '../added.js';
import type { UpstreamSettings } from '../schema.js';
import { SECRET_MEMBERS, type SecretMember } from './schema.js';

interface UpstreamDocument extends Document {
  readonly settings: Omit<UpstreamSettings, 'name' | SecretMember>;
  /** The keys and headers as JSON. */
  readonly sealed: string;
}

export const MOST_UPSTREAMS = 100;

export interface StoredParts {
  readonly storage: Storage;
  readonly secrets: Secrets;
  readonly log: Logger;
  /** Called with all of them whenever they were read. */
  readonly follow: (upstreams: readonly UpstreamSettings[]) => Promise<void>;
}

export class StoredUpstreams {
  readonly #documents: Collection<UpstreamDocument>;
  readonly #added: Added<UpstreamDocument>;
  readonly #parts: StoredParts;
  /** That could not be opened, and were said so. */
  readonly #unopened = new Set<string>();

  constructor(parts: StoredParts) {
    this.#documents = parts.storage.collection<UpstreamDocument>({ name: 'upstreams', indexes: [] });
    parts.secrets.keeps('keys of upstreams', this.#documents, 'sealed', contextOf);
    this.#parts = parts;
    this.#added = new Added(this.#documents, MOST_UPSTREAMS, (all) => parts.follow(this.#openedOf(all)));
  }

  start(signal: AbortSignal): Promise<void> {
    return this.#added.start({ log: this.#parts.log, signal });
  }

  async list(): Promise<UpstreamSettings[]> {
    return this.#openedOf(await this.#added.list());
  }

  async get(name: string): Promise<UpstreamSettings | undefined> {
    const found = await this.#documents.findOne({ _id: name });
    return found === null ? undefined : this.#opened(found);
  }

  put({ name, ...all }: UpstreamSettings): Promise<void> {
    const secret = Object.fromEntries(SECRET_MEMBERS.map((member) => [member, all[member]]));
    const settings = Object.fromEntries(
      Object.entries(all).filter(([member]) => !(SECRET_MEMBERS as readonly string[]).includes(member)),
    ) as UpstreamDocument['settings'];
    const sealed = this.#parts.secrets.seal(JSON.stringify(secret), contextOf(name));
    return this.#added.put({ _id: name, settings, sealed });
  }

  /** False when there was none. */
  delete(name: string): Promise<boolean> {
    return this.#added.delete(name);
  }

  #openedOf(documents: readonly UpstreamDocument[]): UpstreamSettings[] {
    return documents.flatMap((document) => this.#opened(document) ?? []);
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
