/** Purges entries that nobody can see any more: expired ones, and archived ones past their recovery time. */
import type { Clock, Filter } from 'plugboard/sdk';
import type { EntryDocument } from '../entries/document.js';
import type { Entries } from '../entries/entries.js';
import type { WorkRun } from './marked-work.js';
import type { Settings } from '../settings/settings.js';

const BATCH = 500;
const DAY_MS = 86_400_000;

export class Retention {
  readonly #entries: Entries;
  readonly #settings: { read(): Promise<Settings> };
  readonly #clock: Clock;
  /** Milliseconds that an expired entry is kept. */
  readonly #grace: number;

  constructor(entries: Entries, settings: { read(): Promise<Settings> }, clock: Clock, graceSeconds: number) {
    this.#entries = entries;
    this.#settings = settings;
    this.#clock = clock;
    this.#grace = graceSeconds * 1000;
  }

  async wanted(): Promise<boolean> {
    for (const filter of await this.#filters()) {
      if ((await this.#entries.documents.findOne(filter, { projection: { _id: 1 } })) !== null) return true;
    }
    return false;
  }

  async drain({ signal }: WorkRun): Promise<void> {
    for (const filter of await this.#filters()) await this.#purge(filter, signal);
  }

  async #filters(): Promise<Filter<EntryDocument>[]> {
    const now = this.#clock.now();
    const { retentionDays } = await this.#settings.read();
    return [
      { expiresAt: { $lte: new Date(now - this.#grace) } },
      { archived: true, archivedAt: { $lte: new Date(now - retentionDays * DAY_MS) } },
    ];
  }

  async #purge(filter: Filter<EntryDocument>, signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const gone = await this.#entries.documents
        .find(filter, { limit: BATCH, projection: { _id: 1 } })
        .toArray();
      if (gone.length === 0) return;
      await this.#entries.purge(gone.map(({ _id }) => _id));
    }
  }
}
