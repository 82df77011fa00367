/** Keeps the words of the index in a file: at a stop, and while the server runs whenever enough of them have changed. */
import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'plugboard/sdk';
import type { KeywordIndex } from '../keyword/index.js';
import { readWords, writeWords } from './words-file.js';

const LOOK_EVERY_MS = 30_000;
/** It is written anew when a twentieth of the entries have changed, and not for fewer than these ... */
const LEAST_CHANGES = 500;
const SHARE = 0.05;
/** ... but for any after this time: what is deleted does not stay in it. */
const LONGEST_MS = 3_600_000;

export class WordsKeeper {
  readonly #path: string;
  readonly #index: KeywordIndex;
  readonly #log: Logger;
  /** The changes to the index that the file has, and when it was written, on the monotonic clock. */
  #kept = 0;
  #written = performance.now();
  #writing: Promise<void> = Promise.resolve();

  constructor(path: string, index: KeywordIndex, log: Logger) {
    this.#path = path;
    this.#index = index;
    this.#log = log;
  }

  /** Fills the index, which is empty. Entries may have changed since: see `KeywordIndex.has`. */
  async load(): Promise<void> {
    for await (const { owner, pool } of readWords(this.#path)) this.#index.take(owner, pool);
    this.#kept = this.#index.changes;
  }

  /** Until the signal is aborted; begins when the index holds every entry. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const isOld = performance.now() - this.#written >= LONGEST_MS;
      const enough = isOld ? 1 : Math.max(LEAST_CHANGES, SHARE * this.#index.size);
      if (this.#index.changes - this.#kept >= enough) await this.write();
      await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Writes the file where something has changed; a disk that refuses is only logged. */
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

  /** Removes the file: what was erased is in it. */
  async forget(): Promise<void> {
    await this.#writing;
    await rm(this.#path, { force: true });
    this.#kept = -1;
  }
}
