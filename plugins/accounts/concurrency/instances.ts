/**
 * How many instances there are: each counts up its own beat in storage and watches whether those of the others change,
 * on its own monotonic clock, so that clocks that differ do no harm.
 */
import { setTimeout } from 'node:timers/promises';
import { newId, type Collection, type Document, type Logger, type Storage } from 'plugboard/sdk';

interface InstanceDocument extends Document {
  readonly beat: number;
}

/** Milliseconds. */
const EVERY = 2_000;
const DEAD_AFTER = 5 * EVERY;

export class Instances {
  readonly #id = newId();
  readonly #collection: Collection<InstanceDocument>;
  readonly #log: Logger;
  readonly #seen = new Map<string, { beat: number; at: number }>();
  #beat = 0;

  constructor(storage: Storage, log: Logger) {
    this.#collection = storage.collection<InstanceDocument>({ name: 'instances' });
    this.#log = log;
  }

  /** This one counts. */
  count(): number {
    return Math.max(1, this.#seen.size);
  }

  /** Beats and watches until the signal; then it counts no more. */
  async follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.round();
      } catch (error) {
        this.#log.debug({ err: error }, 'instances are not counted');
      }
      await setTimeout(EVERY, undefined, { signal }).catch(() => {});
    }
    await this.#collection.deleteOne({ _id: this.#id }).catch(() => {});
  }

  async round(): Promise<void> {
    this.#beat += 1;
    await this.#collection.updateOne({ _id: this.#id }, { $set: { beat: this.#beat } }, { upsert: true });
    const all = await this.#collection.find({}, { limit: 1_000 }).toArray();
    const now = performance.now();
    const there = new Set(all.map(({ _id }) => _id));
    for (const { _id, beat } of all)
      if (this.#seen.get(_id)?.beat !== beat) this.#seen.set(_id, { beat, at: now });
    for (const [id, { at }] of this.#seen) {
      if (there.has(id) && now - at < DEAD_AFTER) continue;
      this.#seen.delete(id);
      if (there.has(id)) await this.#collection.deleteOne({ _id: id });
    }
  }
}
