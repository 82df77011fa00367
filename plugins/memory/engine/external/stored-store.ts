/** Stored settings of the external store; the API key is sealed at rest and leaves this module only to the client. */
import {
  nameProblem,
  newId,
  type Collection,
  type Document,
  type Secrets,
  type Storage,
} from 'plugboard/sdk';
import { errors } from '../base/errors.js';
import type { ExternalStore, ExternalStorePatch } from './store-settings.js';
import { HOST_PROBLEMS, parseHost, type Endpoint } from './host.js';
import { maskKey } from './mask.js';

interface StoreDocument extends Document {
  readonly enabled?: boolean;
  readonly host?: string;
  readonly port?: number;
  readonly collection?: string;
  readonly embeddingModel?: string;
  readonly quantization?: 'none' | 'int8' | 'binary';
  readonly sealedKey?: string;
  /** True once a host was set: from then on deletions must reach the store, even while it is off. */
  readonly everSet?: boolean;
  /** Id of the change to another place, until all entries are flagged for it. */
  readonly backfill?: string;
}

/** A store that is ready for requests. */
export interface Target {
  readonly endpoint: Endpoint;
  readonly collection: string;
  readonly quantization: 'none' | 'int8' | 'binary';
  /** The store's own model for the points; null: the vectors of the entries. */
  readonly embeddingModel: string | null;
  readonly apiKey: string | null;
}

export interface StoreState {
  readonly shape: ExternalStore;
  /** Null while the store is off or has no valid host. */
  readonly target: Target | null;
  readonly everSet: boolean;
  /** If set, every entry must be sent to the store, which may have none of them. */
  readonly backfill: string | null;
}

const ID = 'external-store';
const SEAL_CONTEXT = 'memory/external-store/api-key';

export class StoredExternalStore {
  readonly #documents: Collection<StoreDocument>;
  readonly #secrets: Secrets;
  readonly #allowPrivate: boolean;

  constructor(storage: Storage, secrets: Secrets, allowPrivate: boolean) {
    this.#documents = storage.collection<StoreDocument>({ name: 'external_store' });
    this.#secrets = secrets;
    secrets.keeps(
      'the key of the external store of memory',
      this.#documents,
      'sealedKey',
      () => SEAL_CONTEXT,
    );
    this.#allowPrivate = allowPrivate;
  }

  async read(): Promise<StoreState> {
    return this.#stateOf(await this.#documents.findOne({ _id: ID }));
  }

  async change({ apiKey, ...patch }: ExternalStorePatch): Promise<StoreState> {
    if (patch.host !== undefined && patch.host !== '') this.#checkHost(patch.host);
    const stored = await this.#documents.findOne({ _id: ID });
    const leaves = apiKey === undefined && moves(patch, this.#stateOf(stored).shape);
    const place = placeOf(this.#stateOf({ _id: ID, ...stored, ...patch }).target);
    const set = {
      ...patch,
      ...(place === null || place === placeOf(this.#stateOf(stored).target) ? {} : { backfill: newId() }),
      ...(patch.host ? { everSet: true } : {}),
      ...(apiKey ? { sealedKey: this.#secrets.seal(apiKey, SEAL_CONTEXT) } : {}),
    };
    const update = {
      ...(Object.keys(set).length > 0 ? { $set: set } : {}),
      ...(apiKey === '' || leaves ? { $unset: { sealedKey: true as const } } : {}),
    };
    if (Object.keys(update).length === 0) return this.read();
    return this.#stateOf(await this.#documents.findOneAndUpdate({ _id: ID }, update, { upsert: true }));
  }

  /** All entries are flagged for the place of that change. */
  async backfilled(backfill: string): Promise<void> {
    await this.#documents.updateOne({ _id: ID, backfill }, { $unset: { backfill: true } });
  }

  #checkHost(host: string): void {
    const endpoint = parseHost(host, 1);
    const problem =
      typeof endpoint === 'string' ? endpoint : nameProblem(endpoint.hostname, this.#allowPrivate);
    if (problem !== null) {
      // Credentials in the host are not repeated.
      const shown = problem === 'host_with_credentials' ? `//***${host.slice(host.lastIndexOf('@'))}` : host;
      throw errors.external_host_refused({
        values: { host: shown, reason: HOST_PROBLEMS[problem] },
        param: 'host',
      });
    }
  }

  /** Null for one that was sealed with a key that is no longer listed: it must be given again. */
  #opened(sealed: string): string | null {
    try {
      return this.#secrets.open(sealed, SEAL_CONTEXT);
    } catch {
      return null;
    }
  }

  #stateOf(stored: StoreDocument | null): StoreState {
    const apiKey = stored?.sealedKey === undefined ? null : this.#opened(stored.sealedKey);
    const { enabled = false, host = '', port = 6333, quantization = 'none' } = stored ?? {};
    const collection = stored?.collection ?? 'plugboard_memory';
    const embeddingModel = stored?.embeddingModel ?? null;
    const endpoint = parseHost(host, port);
    return {
      shape: {
        enabled,
        host,
        port,
        collection,
        embeddingModel,
        quantization,
        hasApiKey: apiKey !== null,
        apiKeyMasked: apiKey === null ? null : maskKey(apiKey),
      },
      target:
        enabled && typeof endpoint !== 'string'
          ? { endpoint, collection, quantization, embeddingModel, apiKey }
          : null,
      everSet: stored?.everSet ?? false,
      backfill: stored?.backfill ?? null,
    };
  }
}

/** The key was given for one place: whoever changes the place must give it again, or could have it sent anywhere. */
function moves({ host, port }: ExternalStorePatch, now: ExternalStore): boolean {
  return (host !== undefined && host !== now.host) || (port !== undefined && port !== now.port);
}

/** Where points are stored and which model made them; null: nowhere. */
function placeOf(target: Target | null): string | null {
  return target === null ? null : JSON.stringify({ ...target, apiKey: null });
}
