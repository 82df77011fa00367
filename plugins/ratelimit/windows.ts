/** Counts in storage: one document per current window, changed atomically by every instance. */
import { isStorageError, type Clock, type Collection, type Document, type Storage } from 'plugboard/sdk';

interface WindowDocument extends Document {
  /** Counted units, including those in leases of instances. */
  readonly used: number;
  /** When the count starts over. */
  readonly reset: Date;
}

export interface Window {
  readonly used: number;
  /** Milliseconds since the Unix epoch. */
  readonly reset: number;
}

export interface RunningWindow extends Window {
  readonly id: string;
}

export interface Grant extends Window {
  readonly granted: number;
}

/** Ended windows are removed after this, in seconds: instances whose clocks differ still see them. */
const KEEP = 600;

export class Windows {
  readonly #documents: Collection<WindowDocument>;
  readonly #clock: Clock;

  constructor(storage: Storage, clock: Clock) {
    this.#documents = storage.collection<WindowDocument>({
      name: 'windows',
      indexes: [{ keys: { reset: 1 }, expireAfterSeconds: KEEP }],
    });
    this.#clock = clock;
  }

  /** Counts `wanted` units, or what is left of the limit; starts a window of `length` ms if none is current. */
  async take(id: string, wanted: number, limit: number, length: number): Promise<Grant> {
    let granted = Math.min(wanted, limit);
    for (;;) {
      if (granted > 0) {
        const counted = await this.#count(id, granted, limit, length);
        if (counted !== undefined) return { ...counted, granted };
      }
      const window = await this.read(id);
      const left = limit - (window?.used ?? 0);
      if (window !== undefined && left <= 0) return { ...window, granted: 0 };
      if (limit === 0) return { used: 0, reset: this.#clock.now() + length, granted: 0 };
      granted = Math.min(wanted, left);
    }
  }

  /** Counts whatever the limit. */
  async add(id: string, units: number, length: number): Promise<Window> {
    for (;;) {
      const counted = await this.#count(id, units, undefined, length);
      if (counted !== undefined) return counted;
    }
  }

  /** Gives back units of the window that ends at `reset`; an ended one is left alone. */
  async giveBack(id: string, units: number, reset: number): Promise<void> {
    await this.#documents.updateOne({ _id: id, reset: new Date(reset) }, { $inc: { used: -units } });
  }

  async read(id: string): Promise<Window | undefined> {
    return (await this.readAll([id])).get(id);
  }

  /** The current windows. */
  async readAll(ids: readonly string[]): Promise<Map<string, Window>> {
    const now = new Date(this.#clock.now());
    const found = await this.#documents.find({ _id: { $in: ids }, reset: { $gt: now } }).toArray();
    return new Map(found.map((document) => [document._id, windowOf(document)]));
  }

  /** The current windows with this prefix, those with the most units first. */
  async fullest(prefix: string, most: number): Promise<RunningWindow[]> {
    const now = new Date(this.#clock.now());
    const found = await this.#documents
      .find(
        { _id: { $gte: prefix, $lt: `${prefix}\u{10ffff}` }, reset: { $gt: now } },
        { sort: { used: -1, _id: 1 }, limit: most },
      )
      .toArray();
    return found.map((document) => ({ id: document._id, ...windowOf(document) }));
  }

  /** Undefined if the current window has no room, or another instance was faster: read it and try again. */
  async #count(
    id: string,
    units: number,
    limit: number | undefined,
    length: number,
  ): Promise<Window | undefined> {
    const now = this.#clock.now();
    const room = limit === undefined ? {} : { used: { $lte: limit - units } };
    const running = await this.#documents.findOneAndUpdate(
      { _id: id, reset: { $gt: new Date(now) }, ...room },
      { $inc: { used: units } },
    );
    if (running !== null) return windowOf(running);
    const begun: Window = { used: units, reset: now + length };
    try {
      const { matched, upsertedId } = await this.#documents.updateOne(
        { _id: id, reset: { $lte: new Date(now) } },
        { $set: { used: units, reset: new Date(begun.reset) } },
        { upsert: true },
      );
      return matched === 1 || upsertedId !== null ? begun : undefined;
    } catch (error) {
      // A current window: the upsert met its document.
      if (isStorageError(error, 'duplicate_key')) return undefined;
      throw error;
    }
  }
}

function windowOf({ used, reset }: WindowDocument): Window {
  return { used, reset: reset.getTime() };
}
