/**
 * The catalog under which the rows are stored, stored with them. All instances follow it: whichever of them takes a new
 * one, the others have it by the feed of changes.
 */
import { isStorageError, type Collection, type Document, type Storage } from 'plugboard/sdk';
import type { Withdrawn } from '../rows/indexes.js';
import type { Fields, Retired } from './fields.js';

export interface CatalogRecord extends Document {
  /** One more with each change of the record. */
  readonly version: number;
  /** The catalog file as it was. */
  readonly text: string;
  readonly fields: Fields;
  readonly retired: Retired;
  /** Absent in records of the first versions. */
  readonly withdrawn?: Withdrawn;
  /** Writes wait while a migration ends: until this moment at most. */
  readonly holdUntil: Date | null;
}

export type CatalogState = Omit<CatalogRecord, '_id' | 'version'>;

/** The text of a catalog for which a migration was asked: too long for the input of a job. */
interface Proposal extends Document {
  readonly text: string;
  /** Names of columns and relations to drop. */
  readonly drop: readonly string[];
  /** Whether the migration has ended. */
  readonly over: boolean;
}

const ID = 'current';
const PROPOSED = 'proposed';
/** Milliseconds between two looks at the record where there is no feed of changes. */
const POLL = 5_000;

export class CatalogRecords {
  readonly #records: Collection<CatalogRecord>;
  readonly #proposals: Collection<Proposal>;

  constructor(storage: Storage) {
    this.#records = storage.collection<CatalogRecord>({ name: 'catalogs' });
    this.#proposals = storage.collection<Proposal>({ name: 'proposed_catalogs' });
  }

  current(): Promise<CatalogRecord | null> {
    return this.#records.findOne({ _id: ID });
  }

  async propose(text: string, drop: readonly string[]): Promise<void> {
    const proposal = { _id: PROPOSED, text, drop: [...drop], over: false };
    await this.#proposals.replaceOne({ _id: PROPOSED }, proposal, { upsert: true });
  }

  proposed(): Promise<Proposal | null> {
    return this.#proposals.findOne({ _id: PROPOSED });
  }

  /** Its migration is done, or refused. */
  async settle(text: string): Promise<void> {
    await this.#proposals.updateOne({ _id: PROPOSED, text }, { $set: { over: true } });
  }

  /** Puts a record in the place of the one of this version (0: of none). False when another one is there by now. */
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

  /** Calls `seen` with each new record until the signal is aborted. Errors of `seen` are its own. */
  async follow(signal: AbortSignal, seen: (record: CatalogRecord) => Promise<void>): Promise<void> {
    while (!signal.aborted) {
      try {
        const feed = await this.#records.changes({ signal });
        // What changed before the feed was open.
        const missed = await this.current();
        if (missed !== null) await seen(missed);
        for await (const change of feed) if (change.kind === 'put') await seen(change.document);
      } catch (error) {
        if (signal.aborted) return;
        if (!isStorageError(error)) throw error;
        await pause(POLL, signal);
        const record = await this.current().catch(() => null);
        if (record !== null) await seen(record);
      }
    }
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds).unref();
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
