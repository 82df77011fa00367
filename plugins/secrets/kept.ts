/** The places where plugins keep sealed texts, and resealing them with the first key. */
import type { Collection, Document, Filter, Update } from 'plugboard/sdk';
import type { Ring } from './ring.js';

interface Place {
  readonly what: string;
  readonly collection: Collection<Document>;
  readonly path: string;
  readonly context: (id: string) => string;
}

/** The outcome for one place. */
export interface Resealed {
  readonly what: string;
  readonly resealed: number;
  /** Already sealed with the first key. */
  readonly current: number;
  /** Ids of documents whose text no listed key can open. */
  readonly unreadable: readonly string[];
}

const BATCH = 200;

export class KeptSecrets {
  readonly #ring: Ring;
  readonly #places: Place[] = [];

  constructor(ring: Ring) {
    this.#ring = ring;
  }

  add(place: Place): void {
    this.#places.push(place);
  }

  /** One place after another. An interrupted run can be repeated: current texts are skipped. */
  async *reseal(signal: AbortSignal): AsyncGenerator<Resealed> {
    for (const place of this.#places) yield await this.#resealPlace(place, signal);
  }

  async #resealPlace({ what, collection, path, context }: Place, signal: AbortSignal): Promise<Resealed> {
    const unreadable: string[] = [];
    let [resealed, current] = [0, 0];
    for (let [after, size] = ['', BATCH]; size === BATCH;) {
      signal.throwIfAborted();
      const found = await collection
        .find({ _id: { $gt: after }, [path]: { $exists: true } } as Filter<Document>, {
          sort: { _id: 1 },
          limit: BATCH,
        })
        .toArray();
      for (const document of found) {
        const sealed = valueAt(document, path);
        if (typeof sealed !== 'string') continue;
        if (this.#ring.isCurrent(sealed)) {
          current += 1;
          continue;
        }
        const again = this.#again(sealed, context(document._id));
        if (again === undefined) unreadable.push(document._id);
        // A text that was replaced meanwhile is sealed with the first key already.
        else if (await replace(collection, document._id, path, sealed, again)) resealed += 1;
      }
      [after, size] = [found.at(-1)?._id ?? after, found.length];
    }
    return { what, resealed, current, unreadable };
  }

  #again(sealed: string, context: string): string | undefined {
    try {
      return this.#ring.seal(this.#ring.open(sealed, context), context);
    } catch {
      return undefined;
    }
  }
}

async function replace(
  collection: Collection<Document>,
  _id: string,
  path: string,
  before: string,
  after: string,
): Promise<boolean> {
  const filter = { _id, [path]: before } as Filter<Document>;
  const { matched } = await collection.updateOne(filter, { $set: { [path]: after } } as Update<Document>);
  return matched === 1;
}

function valueAt(document: Document, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, name) => (value as Record<string, unknown> | null | undefined)?.[name],
      document,
    );
}
