/**
 * Usage at rest: a record of each call for some time, and beside them each day's totals for good, so that a sum
 * over months reads some rows a day however many calls there were.
 */
import {
  isStorageError,
  sha256,
  type Collection,
  type Document,
  type Storage,
  type Transaction,
  type WriteOperation,
} from 'plugboard/sdk';
import { splitRange, type Range } from './range.js';
import type { UsageRecord } from './record.js';
import { addUsage, entryOf, type UsageEntry, type UsageOwner, type UsageSums } from './sums.js';

interface DayTotal extends Document, UsageEntry {}

export class UsageStore {
  readonly #storage: Storage;
  readonly #records: Collection<UsageRecord>;
  readonly #totals: Collection<DayTotal>;

  constructor(storage: Storage, keepDays: number) {
    this.#storage = storage;
    this.#records = storage.collection<UsageRecord>({
      name: 'usage',
      indexes: [{ keys: { at: 1 }, expireAfterSeconds: keepDays * 86_400 }],
    });
    this.#totals = storage.collection<DayTotal>({ name: 'usage_days', indexes: [{ keys: { day: 1 } }] });
  }

  /**
   * Stores records and counts them in their days' totals, together. A batch whose storing failed may be stored
   * again as it is: whether its records are there tells whether they were counted.
   */
  async add(batch: readonly UsageRecord[]): Promise<void> {
    try {
      await this.#storage.transaction((tx) => this.#add(batch, tx));
    } catch (error) {
      if (!isStorageError(error, 'unsupported')) throw error;
      await this.#add(batch);
    }
  }

  /** What was used in a range, in entries that add up to it. */
  async *between(range: Range, now: number): AsyncGenerator<UsageEntry> {
    const { days, edges } = splitRange(range, now);
    if (days !== null) yield* this.#totals.find({ day: { $gte: days.from, $lt: days.to } });
    for (const { from, to } of edges) {
      for await (const record of this.#records.find({ at: { $gte: from, $lt: to } })) yield entryOf(record);
    }
  }

  async #add(batch: readonly UsageRecord[], tx?: Transaction): Promise<void> {
    const records = tx === undefined ? this.#records : this.#records.with(tx);
    const totals = tx === undefined ? this.#totals : this.#totals.with(tx);
    const [first] = batch;
    if (first === undefined || (await records.findOne({ _id: first._id })) !== null) return;
    await records.insertMany(batch);
    await totals.bulkWrite(increments(batch));
  }
}

/** One update for each total that the batch adds to. */
function increments(batch: readonly UsageRecord[]): WriteOperation<DayTotal>[] {
  const totals = new Map<string, UsageEntry>();
  for (const record of batch) {
    const entry = entryOf(record);
    const id = totalId(entry);
    const total = totals.get(id);
    if (total === undefined) totals.set(id, entry);
    else addUsage(total, entry);
  }
  return Array.from(totals, ([_id, { day, key, model, upstream, ...sums }]) => {
    const owner: UsageOwner = { day, key, model, upstream };
    const counted: UsageSums = sums;
    return {
      updateOne: { filter: { _id }, update: { $setOnInsert: owner, $inc: { ...counted } }, upsert: true },
    };
  });
}

/** A hash, because a client's model name may be of any length. */
function totalId({ day, key, model, upstream }: UsageOwner): string {
  return sha256(JSON.stringify([day, key, model, upstream]));
}
