/** The characters that an owner stores, over several collections, and their limit. */
import type { Collection, Document } from 'plugboard/sdk';
import { errors } from './errors.js';

/** A document that takes room; older ones have no size. */
interface Sized extends Document {
  readonly owner: string;
  readonly size?: number;
}

type Counted = Pick<Collection<Sized>, 'group' | 'findOne'>;

export class Room {
  readonly #most: number;
  readonly #collections: Counted[] = [];
  /** The last pending write of each owner: concurrent writes would not count each other. */
  readonly #writes = new Map<string, Promise<unknown>>();

  /** `most`: characters per owner. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Counts the collection. It needs an index that begins with `owner`. */
  count<D extends Sized>(collection: Collection<D>): void {
    this.#collections.push(collection as unknown as Counted);
  }

  /** Writes if `size` more characters fit once the document `replaced` is gone. One write per owner at a time. */
  async write<T>(
    { owner, size, replaced }: { owner: string; size: number; replaced?: string },
    write: () => Promise<T>,
  ): Promise<T> {
    const checked = async (): Promise<T> => {
      const held = await Promise.all(this.#collections.map((one) => charactersIn(one, owner, replaced)));
      if (held.reduce((sum, characters) => sum + characters, size) > this.#most)
        throw errors.presets_too_large({ values: { limit: this.#most } });
      return write();
    };
    const before = this.#writes.get(owner) ?? Promise.resolve();
    const written = before.then(checked, checked);
    this.#writes.set(owner, written);
    try {
      return await written;
    } finally {
      if (this.#writes.get(owner) === written) this.#writes.delete(owner);
    }
  }
}

async function charactersIn(collection: Counted, owner: string, replaced?: string): Promise<number> {
  const others = { owner, ...(replaced !== undefined && { _id: { $ne: replaced } }) };
  const [all] = await collection.group(others, { by: [], folds: [{ fold: 'sum', of: 'size' }] });
  return Number(all?.folds[0] ?? 0);
}
