/**
 * Stored usage: a record of each call for some time, and each day's totals forever, so that a sum over months reads a
 * few rows per day however many calls there were. Records of one hour are stored together as one text: with a document
 * of its own each call took 40 us of the embedded store, with a list of objects 8.
 */
import {
  isStorageError,
  nextTurn,
  sha256,
  turnIsOver,
  type Collection,
  type Document,
  type Storage,
  type Transaction,
  type WriteOperation,
} from 'plugboard/sdk';
import { splitRange, type Range } from './range.js';
import type { UsageBatch } from './batch.js';
import { callsOf, hourOf } from './hour-page.js';
import type { UsageRecord } from './record.js';
import { addUsage, ownerOf, usageOf, type UsageEntry, type UsageOwner, type UsageSums } from './sums.js';

/** Of one batch, the calls that came in within one hour. */
export interface HourOfCalls extends Document {
  /** The beginning of the hour. */
  readonly hour: Date;
  /** For `callsOf`. */
  readonly calls: string | readonly UsageRecord[];
}

/** After the calls of a document that come before `at`. */
export interface Place {
  readonly hour: Date;
  readonly id: string;
  readonly at: number;
}

interface DayTotal extends Document, UsageEntry {}

export class UsageStore {
  readonly #storage: Storage;
  readonly #calls: Collection<HourOfCalls>;
  readonly #totals: Collection<DayTotal>;

  constructor(storage: Storage, keepDays: number) {
    this.#storage = storage;
    this.#calls = storage.collection<HourOfCalls>({
      name: 'usage_calls',
      indexes: [
        { keys: { hour: 1 }, expireAfterSeconds: keepDays * 86_400 + 3_600 },
        { keys: { hour: -1, _id: -1 } },
      ],
    });
    this.#totals = storage.collection<DayTotal>({ name: 'usage_days', indexes: [{ keys: { day: 1 } }] });
  }

  /**
   * Stores records and counts them in their days' totals, together. A batch whose storing failed may be stored
   * again as it is: whether its records are there tells whether they were counted.
   */
  async add(batch: UsageBatch): Promise<void> {
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
    for (const edge of edges)
      for await (const call of this.callsBetween(edge)) yield { ...ownerOf(call), ...usageOf(call) };
  }

  /** Documents of calls, the newest first, from a place on. */
  hoursBefore({ from, to }: Range, place: Place | undefined): AsyncIterable<HourOfCalls> {
    const range = { hour: { $gte: hourOf(from), $lt: to } };
    const sort = { hour: -1, _id: -1 } as const;
    if (place === undefined) return this.#calls.find(range, { sort });
    const { hour, id } = place;
    const rest = { $or: [{ hour: { $lt: hour } }, { hour, _id: { $lte: id } }] };
    return this.#calls.find({ $and: [range, rest] }, { sort });
  }

  async *callsOf(keys: ReadonlySet<string>): AsyncGenerator<UsageRecord> {
    for await (const { hour, calls } of this.#calls.find({}))
      for (const call of callsOf(hour, calls)) if (keys.has(call.key)) yield call;
  }

  /** Removes the calls of the keys and their sums. Answers how many calls there were. */
  async forget(keys: ReadonlySet<string>): Promise<number> {
    let forgotten = 0;
    for await (const { _id, hour, calls } of this.#calls.find({})) {
      const all = callsOf(hour, calls);
      const others = all.filter(({ key }) => !keys.has(key));
      if (others.length === all.length) continue;
      forgotten += all.length - others.length;
      await this.#calls.updateOne({ _id }, { $set: { calls: others } });
    }
    await this.#totals.deleteMany({ key: { $in: [...keys] } });
    return forgotten;
  }

  async *callsBetween({ from, to }: Range): AsyncGenerator<UsageRecord> {
    for await (const { hour, calls } of this.#calls.find({ hour: { $gte: hourOf(from), $lt: to } })) {
      for (const call of callsOf(hour, calls)) if (call.at >= from && call.at < to) yield call;
      if (turnIsOver()) await nextTurn();
    }
  }

  async #add({ id, pages }: UsageBatch, tx?: Transaction): Promise<void> {
    const calls = tx === undefined ? this.#calls : this.#calls.with(tx);
    const totals = tx === undefined ? this.#totals : this.#totals.with(tx);
    if ((await calls.findOne({ _id: id })) !== null) return;
    // The first document bears the batch's id: it tells whether the batch is there.
    const documents = pages.map(({ hour, text }, at) => ({
      _id: at === 0 ? id : `${id}-${at}`,
      hour,
      calls: text,
    }));
    await calls.insertMany(documents);
    await totals.bulkWrite(Array.from(totalsOf(pages), increment));
  }
}

/** The entries of the pages, those of one owner added up. */
function totalsOf(pages: UsageBatch['pages']): Iterable<UsageEntry> {
  const sums = new Map<string, UsageEntry>();
  for (const entry of pages.flatMap((page) => page.entries())) {
    const owner = ownerName(entry);
    const sum = sums.get(owner);
    if (sum === undefined) sums.set(owner, entry);
    else addUsage(sum, entry);
  }
  return sums.values();
}

/** Adds to the total that an entry belongs to. */
function increment(entry: UsageEntry): WriteOperation<DayTotal> {
  const { day, key, model, upstream, ...sums } = entry;
  const owner: UsageOwner = { day, key, model, upstream };
  const counted: UsageSums = sums;
  return {
    updateOne: {
      // A hash, because the names are of any length.
      filter: { _id: sha256(ownerName(entry)) },
      update: { $setOnInsert: owner, $inc: { ...counted } },
      upsert: true,
    },
  };
}

function ownerName({ day, key, model, upstream }: UsageOwner): string {
  return JSON.stringify([day, key, model, upstream]);
}
