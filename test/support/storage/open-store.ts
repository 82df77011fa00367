/** Opens a storage provider through its plugin contract, without a server around it. */
import { PassThrough } from 'node:stream';
import { Ajv } from 'ajv';
import type { Clock, Logger, Storage } from 'plugboard/sdk';
import { serviceFor } from 'plugboard/sdk';
import { silentLog } from '../silent-log.js';
import type { StoreConfig } from '../stores.js';

export interface OpenStore {
  readonly storage: Storage;
  /** What another plugin would get: the same store, another namespace. */
  storageOf(plugin: string): Storage;
  /** The provider's start: what was declared by `collection` so far is made. */
  start(): Promise<void>;
  /** What the provider reports to `/-/ready`; throws when it is not ready. */
  check(): Promise<unknown>;
  close(): Promise<void>;
}

export interface OpenOptions {
  readonly clock?: Clock;
  readonly log?: Logger;
}

export async function openStore(
  { use, ...config }: StoreConfig,
  options: OpenOptions = {},
): Promise<OpenStore> {
  const { default: provider } = (await import(`../../../plugins/storage/${use}/index.js`)) as {
    default: StorageProvider;
  };
  const ajv = new Ajv({ useDefaults: true, strict: false });
  const filled = structuredClone(config);
  if (!ajv.validate(provider.config, filled)) throw new Error(ajv.errorsText());

  const releases: (() => unknown)[] = [];
  const close = async (): Promise<void> => {
    for (const release of releases.splice(0).reverse()) await release();
  };
  const stopping = new AbortController();
  releases.push(() => stopping.abort());
  try {
    const made = await provider.setup({
      id: 'storage',
      config: filled,
      baseDir: process.cwd(),
      needs: { clock: options.clock ?? Date },
      wants: {},
      log: options.log ?? silentLog,
      stdout: new PassThrough().resume(),
      signal: stopping.signal,
      onStop: (release) => void releases.push(release),
      progress: () => {},
    });
    const storageOf = (id: string): Storage =>
      serviceFor(made.provides.storage, {
        id,
        scopes: {},
        dialect: 'svc',
        signal: new AbortController().signal,
        log: silentLog,
      }) as Storage;
    return {
      storage: storageOf('test'),
      storageOf,
      start: async () => made.start?.(),
      check: async () => made.check?.(),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The part of a storage provider's definition that is the same for all. */
interface StorageProvider {
  readonly config: object;
  setup(context: Record<string, unknown> & { onStop(release: () => unknown): void }): Promise<{
    provides: { storage: unknown };
    start?: () => void | Promise<void>;
    check?: () => unknown;
  }>;
}
