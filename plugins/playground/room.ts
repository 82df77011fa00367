/** How many characters an owner keeps, over several collections, and that it is no more than it may. */
import type { Collection, Document } from 'plugboard/sdk';
import { errors } from './errors.js';

/** Something that takes room; older documents do not say how much. */
interface Sized extends Document {
  readonly owner: string;
  readonly size?: number;
}

type Counted = Pick<Collection<Sized>, 'group' | 'findOne'>;

export class Room {
  readonly #most: number;
  readonly #collections: Counted[] = [];
  /** The last write of each owner that has one under way: together, they would not see each other in what they count. */
  readonly #writes = new Map<string, Promise<unknown>>();

  /** `most`: characters of each owner. */
  constructor(most: number) {
    this.#most = most;
  }

  /** What is in the collection counts. It has an index that begins with `owner`. */
  count<D extends Sized>(collection: Collection<D>): void {
    this.#collections.push(collection as unknown as Counted);
  }

  /** Writes where there is room for `size` more characters in place of the document `replaced`. One write of an owner at a time. */
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
