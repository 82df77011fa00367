/**
 * The catalog under which the rows are stored, stored with them. All instances follow it: if one applies a new catalog,
 * the others get it from the change feed.
 */
import { createHash } from 'node:crypto';
import {
  isStorageError,
  KeptCollection,
  type Collection,
  type Document,
  type FollowOptions,
  type Storage,
} from 'plugboard/sdk';
import type { Withdrawn } from '../rows/indexes.js';
import type { Reserved } from './identify.js';
import type { Ledger, NamedMembers } from './ledger.js';

export interface CatalogRecord extends Document, NamedMembers {
  /** Incremented with each change of the record. */
  readonly version: number;
  /** Incremented with each new catalog in force. Absent, like the next three, in records of the first versions. */
  readonly number?: number;
  readonly since?: Date;
  readonly ledger?: Ledger;
  /** What is being deleted. */
  readonly purging?: readonly Reserved[];
  /** The text of the catalog file. */
  readonly text: string;
  /** Absent in records of the first versions. */
  readonly withdrawn?: Withdrawn;
  /** Writes wait for the end of a migration until this moment at most. */
  readonly holdUntil: Date | null;
}

export type CatalogState = Omit<CatalogRecord, '_id' | 'version'>;

/** A catalog that was in force before the current one. */
export interface PastCatalog extends Document {
  readonly number: number;
  readonly text: string;
  readonly digest: string;
  /** When it came into force; null if unknown. */
  readonly since: Date | null;
}

/** The text of a catalog whose migration was requested: too long for a job's input. */
interface Proposal extends Document {
  readonly text: string;
  /** Names of columns and relations to drop. */
  readonly drop: readonly string[];
  /** Whether dropped values are deleted at once. */
  readonly now?: boolean;
  /** Whether the migration has ended. */
  readonly over: boolean;
}

const ID = 'current';
const PROPOSED = 'proposed';

export class CatalogRecords {
  readonly #records: Collection<CatalogRecord>;
  readonly #proposals: Collection<Proposal>;
  readonly #history: Collection<PastCatalog>;

  constructor(storage: Storage) {
    this.#records = storage.collection<CatalogRecord>({ name: 'catalogs' });
    this.#proposals = storage.collection<Proposal>({ name: 'proposed_catalogs' });
    this.#history = storage.collection<PastCatalog>({
      name: 'past_catalogs',
      indexes: [{ keys: { digest: 1, number: 1 } }, { keys: { number: 1 } }],
    });
  }

  current(): Promise<CatalogRecord | null> {
    return this.#records.findOne({ _id: ID });
  }

  /** Those before a number, latest first: after a kill, one may still be in force. */
  past(before: number): Promise<readonly PastCatalog[]> {
    return this.#history.find({ number: { $lt: before } }, { sort: { number: -1 } }).toArray();
  }

  numbered(number: number): Promise<PastCatalog | null> {
    return this.#history.findOne({ _id: String(number) });
  }

  /** The latest past catalog with this text. */
  async pastWith(text: string): Promise<PastCatalog | undefined> {
    const [found] = await this.#history
      .find({ digest: digestOf(text) }, { sort: { number: -1 }, limit: 1 })
      .toArray();
    return found;
  }

  /** Puts a catalog in force in place of `before`, which is kept. False if another one is in force by now. */
  async supersede(before: CatalogRecord | null, next: CatalogState, since: Date): Promise<boolean> {
    const number = before === null ? 0 : numberOf(before);
    if (before !== null) {
      const _id = String(number);
      const { text } = before;
      const past = { _id, number, text, digest: digestOf(text), since: before.since ?? null };
      await this.#history.replaceOne({ _id }, past, { upsert: true });
    }
    return this.replace(before?.version ?? 0, { ...next, number: number + 1, since });
  }

  async propose(text: string, drop: readonly string[], now: boolean): Promise<void> {
    const proposal = { _id: PROPOSED, text, drop: [...drop], now, over: false };
    await this.#proposals.replaceOne({ _id: PROPOSED }, proposal, { upsert: true });
  }

  proposed(): Promise<Proposal | null> {
    return this.#proposals.findOne({ _id: PROPOSED });
  }

  /** Its migration is done, or refused. */
  async settle(text: string): Promise<void> {
    await this.#proposals.updateOne({ _id: PROPOSED, text }, { $set: { over: true } });
  }

  /** Replaces the record of this version (0: none). False if another version is there by now. */
  async replace(version: number, next: CatalogState): Promise<boolean> {
    const record: CatalogRecord = { _id: ID, version: version + 1, ...next };
    if (version === 0) {
      try {
        await this.#records.insertOne(record);
        return true;
      } catch (error) {
        if (isStorageError(error, 'duplicate_key')) return false;
        throw error;
      }
    }
    const { matched } = await this.#records.replaceOne({ _id: ID, version }, record);
    return matched === 1;
  }

  /** Calls `seen` with the record whenever it changes, until the signal is aborted. */
  follow(seen: (record: CatalogRecord) => Promise<void>, options: FollowOptions): Promise<void> {
    const kept = new KeptCollection(this.#records, async () => {
      const record = await this.current();
      if (record !== null) await seen(record);
    });
    return kept.follow(options);
  }
}

export function numberOf({ number = 1 }: CatalogRecord): number {
  return number;
}

export function stateOf({ _id: _, version: __, ...state }: CatalogRecord): CatalogState {
  return state;
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
