/** When a key was last used, written at most once a minute and instance, without delaying the request. */
import type { Collection, Logger } from 'plugboard/sdk';
import type { KeyUseDocument } from './key-document.js';

/** Milliseconds. */
const INTERVAL = 60_000;
const CAPACITY = 10_000;

export class KeyUse {
  readonly #uses: Collection<KeyUseDocument>;
  readonly #log: Logger;
  /** When the use of a key was last written, by id. */
  readonly #written = new Map<string, number>();
  readonly #writes = new Set<Promise<void>>();

  constructor(uses: Collection<KeyUseDocument>, log: Logger) {
    this.#uses = uses;
    this.#log = log;
  }

  /** Returns at once. */
  record(id: string, now: number): void {
    if (now - (this.#written.get(id) ?? -Infinity) < INTERVAL) return;
    if (this.#written.size >= CAPACITY) this.#written.clear();
    this.#written.set(id, now);
    const write = this.#write(id, now).finally(() => this.#writes.delete(write));
    this.#writes.add(write);
  }

  /** Waits for pending writes. */
  async close(): Promise<void> {
    await Promise.all(this.#writes);
  }

  /** A lost write costs a minute of precision and must not fail the request. */
  async #write(id: string, now: number): Promise<void> {
    try {
      await this.#uses.updateOne({ _id: id }, { $max: { lastUsedAt: new Date(now) } }, { upsert: true });
    } catch (error) {
      this.#written.delete(id);
      this.#log.warn({ err: error, keyId: id }, 'could not write when the API key was last used');
    }
  }
}
