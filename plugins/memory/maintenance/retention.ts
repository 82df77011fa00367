/** Deletes for good what nobody can see any more: expired entries, and archived ones past their recovery time. */
import type { Clock, Filter } from 'plugboard/sdk';
import type { EntryDocument } from '../entries/document.js';
import type { Entries } from '../entries/entries.js';
import type { Settings } from '../schema/settings.js';

const BATCH = 500;
const DAY_MS = 86_400_000;

export class Retention {
  readonly #entries: Entries;
  readonly #settings: { read(): Promise<Settings> };
  readonly #clock: Clock;
  /** Milliseconds for which an expired entry is kept. */
  readonly #grace: number;

  constructor(entries: Entries, settings: { read(): Promise<Settings> }, clock: Clock, graceSeconds: number) {
    this.#entries = entries;
    this.#settings = settings;
    this.#clock = clock;
    this.#grace = graceSeconds * 1000;
  }

  /** Answers how many entries were deleted. */
  async sweep(signal: AbortSignal): Promise<number> {
    const now = this.#clock.now();
    const { retentionDays } = await this.#settings.read();
    const expired = await this.#purge({ expiresAt: { $lte: new Date(now - this.#grace) } }, signal);
    const recoverableFrom = new Date(now - retentionDays * DAY_MS);
    const archived = await this.#purge({ archived: true, archivedAt: { $lte: recoverableFrom } }, signal);
    return expired + archived;
  }

  async #purge(filter: Filter<EntryDocument>, signal: AbortSignal): Promise<number> {
    let purged = 0;
    while (!signal.aborted) {
      const gone = await this.#entries.documents
        .find(filter, { limit: BATCH, projection: { _id: 1 } })
        .toArray();
      if (gone.length === 0) break;
      purged += await this.#entries.purge(gone.map(({ _id }) => _id));
    }
    return purged;
  }
}
