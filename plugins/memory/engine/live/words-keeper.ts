/** Persists the words of the index: at a stop, and while the server runs after enough changes. */
import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'plugboard/sdk';
import type { KeywordIndex } from '../keyword/index.js';
import { readWords, writeWords } from './words-file.js';

const LOOK_EVERY_MS = 30_000;
/** Rewritten after changes to a twentieth of the entries, but at least this many ... */
const LEAST_CHANGES = 500;
const SHARE = 0.05;
/** ... or after this time with any change: deleted words must not stay in the file. */
const LONGEST_MS = 3_600_000;

export class WordsKeeper {
  readonly #path: string;
  readonly #index: KeywordIndex;
  readonly #log: Logger;
  /** The index change count at the last write, and its time on the monotonic clock. */
  #kept = 0;
  #written = performance.now();
  #writing: Promise<void> = Promise.resolve();

  constructor(path: string, index: KeywordIndex, log: Logger) {
    this.#path = path;
    this.#index = index;
    this.#log = log;
  }

  /** Fills the empty index. Entries may have changed since: see `KeywordIndex.has`. */
  async load(): Promise<void> {
    for await (const { owner, pool } of readWords(this.#path)) await this.#index.take(owner, pool);
    this.#kept = this.#index.changes;
  }

  /** Runs until the signal is aborted; starts when the index is complete. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const isOld = performance.now() - this.#written >= LONGEST_MS;
      const enough = isOld ? 1 : Math.max(LEAST_CHANGES, SHARE * this.#index.size);
      if (this.#index.changes - this.#kept >= enough) await this.write();
      await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Writes the file if anything has changed; disk errors are only logged. */
  write(): Promise<void> {
    return (this.#writing = this.#writing.then(async () => {
      const { changes } = this.#index;
      if (changes === this.#kept) return;
      try {
        await writeWords(this.#path, this.#index.kept());
        this.#kept = changes;
        this.#written = performance.now();
      } catch (error) {
        this.#log.warn({ err: error }, 'the words of the memories are not kept for the next start');
      }
    }));
  }

  /** Removes the file, as it contains erased words. */
  async forget(): Promise<void> {
    await this.#writing;
    await rm(this.#path, { force: true });
    this.#kept = -1;
  }
}
