/** Opens an embedded store for a test, in a folder that is removed when the test ends. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Document, Logger, Storage } from 'plugboard/sdk';
import { EmbeddedStore, type EmbeddedOptions } from '../../../../plugins/storage/embedded/storage.js';
import { silentLog } from '../../../support/silent-log.js';

/** A document of any shape. */
export interface Row extends Document {
  readonly [field: string]: unknown;
  readonly _id: string;
}

export interface Opened {
  readonly store: EmbeddedStore;
  /** As the plugin `test` sees it. */
  readonly storage: Storage;
  readonly directory: string;
  /** Milliseconds; the test may move it. */
  readonly clock: { time: number; now(): number };
  readonly warnings: string[];
}

export async function openStore(t: TestContext, options: Partial<EmbeddedOptions> = {}): Promise<Opened> {
  const directory = options.directory ?? (await mkdtemp(join(tmpdir(), 'plugboard-embedded-')));
  const clock = {
    time: Date.UTC(2024, 0, 1),
    now(): number {
      return this.time;
    },
  };
  const warnings: string[] = [];
  const warn = (fields: object | string, message?: string): void => {
    warnings.push(message ?? String(fields));
  };
  const log: Logger = { ...silentLog, warn, error: warn, fatal: warn };
  const history = { changes: 1000, bytes: 2 ** 20 };
  const store = new EmbeddedStore({
    sync: false,
    history,
    cacheBytes: 2 ** 20,
    clock,
    log,
    ...options,
    directory,
  });
  t.after(async () => {
    await store.close();
    if (options.directory === undefined) await rm(directory, { recursive: true, force: true });
  });
  return { store, storage: store.forPlugin('test'), directory, clock, warnings };
}
