/**
 * Merges many sources of events, newest first, and opens only as many as it needs: a source is opened when its newest
 * event may come before the newest one of the open sources.
 */

export interface Dated {
  readonly _id: string;
  readonly at: Date;
}

export interface Source<E extends Dated> {
  /** Not before the newest event of the source; may be later. */
  readonly activeAt: number;
  open(): AsyncIterator<E>;
}

/** Sources opened at once: their waits overlap. */
const WAVE = 16;

interface Open<E> {
  readonly events: AsyncIterator<E>;
  head: E;
}

/** `sources` are in descending order of `activeAt`. An event in several of them comes once. */
export async function* merge<E extends Dated>(
  sources: AsyncIterable<Source<E>> | Iterable<Source<E>>,
): AsyncGenerator<E, void> {
  const waiting = new Waiting(sources);
  const open: Open<E>[] = [];
  let last: string | undefined;
  try {
    for (;;) {
      for (;;) {
        const wave = await waiting.take(open[0]?.head.at.getTime() ?? -Infinity, WAVE);
        if (wave.length === 0) break;
        const opened = await Promise.all(wave.map(openSource));
        for (const one of opened) if (one !== undefined) push(open, one);
      }
      const [first] = open;
      if (first === undefined) return;
      const event = first.head;
      if (event._id !== last) yield event;
      last = event._id;
      const next = await first.events.next();
      if (next.done === true) pop(open);
      else {
        first.head = next.value;
        sink(open, 0);
      }
    }
  } finally {
    await Promise.all([waiting.close(), ...open.map(({ events }) => events.return?.())]);
  }
}

async function openSource<E extends Dated>(source: Source<E>): Promise<Open<E> | undefined> {
  const events = source.open();
  const first = await events.next();
  return first.done === true ? undefined : { events, head: first.value };
}

/** The unopened sources. */
class Waiting<E extends Dated> {
  readonly #sources: AsyncIterator<Source<E>> | Iterator<Source<E>>;
  #next: Source<E> | undefined;
  #ended = false;

  constructor(sources: AsyncIterable<Source<E>> | Iterable<Source<E>>) {
    this.#sources =
      Symbol.asyncIterator in sources ? sources[Symbol.asyncIterator]() : sources[Symbol.iterator]();
  }

  /** At most `limit` sources that may hold an event as late as `from`. */
  async take(from: number, limit: number): Promise<Source<E>[]> {
    const taken: Source<E>[] = [];
    while (taken.length < limit) {
      const source = await this.#peek();
      if (source === undefined || source.activeAt < from) break;
      taken.push(source);
      this.#next = undefined;
    }
    return taken;
  }

  async close(): Promise<void> {
    await this.#sources.return?.();
  }

  async #peek(): Promise<Source<E> | undefined> {
    if (this.#next !== undefined || this.#ended) return this.#next;
    const { done, value } = await this.#sources.next();
    if (done === true) this.#ended = true;
    else this.#next = value;
    return this.#next;
  }
}

/** Newest first; ties by greater id first, as the stores order strings. */
export function precedes(a: Dated, b: Dated): boolean {
  const difference = a.at.getTime() - b.at.getTime();
  return difference !== 0 ? difference > 0 : a._id > b._id;
}

/** A binary heap with the newest head on top. */
function push<E extends Dated>(heap: Open<E>[], one: Open<E>): void {
  heap.push(one);
  for (let at = heap.length - 1; at > 0;) {
    const parent = (at - 1) >> 1;
    if (!precedes(heap[at]!.head, heap[parent]!.head)) return;
    [heap[at], heap[parent]] = [heap[parent]!, heap[at]!];
    at = parent;
  }
}

function pop<E extends Dated>(heap: Open<E>[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  heap[0] = last;
  sink(heap, 0);
}

function sink<E extends Dated>(heap: Open<E>[], from: number): void {
  for (let at = from; ;) {
    let best = at;
    for (const child of [2 * at + 1, 2 * at + 2]) {
      if (child < heap.length && precedes(heap[child]!.head, heap[best]!.head)) best = child;
    }
    if (best === at) return;
    [heap[at], heap[best]] = [heap[best]!, heap[at]!];
    at = best;
  }
}
