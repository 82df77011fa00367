/** Buffered writes over a base: reads see both, and `apply` writes them to the base. */
import type { Reader, Writer } from '../lmdb/environment.js';
import { SortedKeys } from './sorted-keys.js';
import { entriesOf, type Entry, type Range, type Space, type Walk } from '../lmdb/key-space.js';

interface Change {
  readonly key: Buffer;
  /** Null: removed. */
  readonly value: Buffer | null;
}

export class Overlay implements Writer {
  readonly #below: Reader;
  readonly #changes: Record<Space, Map<string, Change>> = {
    documents: new Map(),
    indexes: new Map(),
    changes: new Map(),
    catalog: new Map(),
  };
  readonly #order: Record<Space, SortedKeys> = {
    documents: new SortedKeys(),
    indexes: new SortedKeys(),
    changes: new SortedKeys(),
    catalog: new SortedKeys(),
  };

  constructor(below: Reader) {
    this.#below = below;
  }

  get(space: Space, key: Buffer): Buffer | undefined {
    const changes = this.#changes[space];
    if (changes.size > 0) {
      const change = changes.get(key.toString('latin1'));
      if (change !== undefined) return change.value ?? undefined;
    }
    return this.#below.get(space, key);
  }

  peek(space: Space, key: Buffer): Buffer | undefined {
    return this.#changes[space].size > 0 ? this.get(space, key) : this.#below.peek(space, key);
  }

  put(space: Space, key: Buffer, value: Buffer): void {
    this.#set(space, { key, value });
  }

  remove(space: Space, key: Buffer): void {
    this.#set(space, { key, value: null });
  }

  #set(space: Space, change: Change): void {
    const name = change.key.toString('latin1');
    const changes = this.#changes[space];
    if (!changes.has(name)) this.#order[space].add(name);
    changes.set(name, change);
  }

  walk(space: Space, range: Range): Walk {
    const below = this.#below.walk(space, range);
    if (this.#changes[space].size === 0) return below;
    const names = this.#order[space].between(range.start.toString('latin1'), range.end.toString('latin1'));
    const own = names.map((name) => this.#changes[space].get(name)!);
    return new EntryWalk(
      merge(entriesOf(below), range.reverse ? own.reverse() : own, range.reverse ? -1 : 1),
    );
  }

  count(space: Space, range: Range): number {
    if (this.#changes[space].size === 0) return this.#below.count(space, range);
    const walk = this.walk(space, range);
    let count = 0;
    while (walk.step()) count++;
    return count;
  }

  /** Whether nothing was written. */
  get empty(): boolean {
    return Object.values(this.#changes).every((changes) => changes.size === 0);
  }

  keys(space: Space): Iterable<Buffer> {
    return [...this.#changes[space].values()].map(({ key }) => key);
  }

  apply(writer: Writer): void {
    for (const space of Object.keys(this.#changes) as Space[])
      for (const { key, value } of this.#changes[space].values())
        if (value === null) writer.remove(space, key);
        else writer.put(space, key, value);
  }
}

/** Merges both in order; changes win over the base. */
function* merge(
  below: Iterable<Entry>,
  changes: readonly Change[],
  direction: 1 | -1,
): Generator<Entry, void> {
  let at = 0;
  for (const entry of below) {
    let replaced = false;
    while (at < changes.length) {
      const change = changes[at]!;
      const order = Buffer.compare(change.key, entry.key) * direction;
      if (order > 0) break;
      at++;
      if (change.value !== null) yield { key: change.key, value: change.value };
      if (order === 0) replaced = true;
    }
    if (!replaced) yield entry;
  }
  for (; at < changes.length; at++) {
    const { key, value } = changes[at]!;
    if (value !== null) yield { key, value };
  }
}

/** A walk over entries in memory. */
class EntryWalk implements Walk {
  readonly #entries: Generator<Entry, void>;
  bytes: Buffer = NOTHING;
  key: Buffer = NOTHING;

  constructor(entries: Generator<Entry, void>) {
    this.#entries = entries;
  }

  step(): boolean {
    const next = this.#entries.next();
    if (next.done === true) return false;
    this.bytes = next.value.value;
    this.key = next.value.key;
    return true;
  }

  get length(): number {
    return this.bytes.length;
  }

  get keyBytes(): Buffer {
    return this.key;
  }

  get keyStart(): number {
    return 0;
  }

  get keyEnd(): number {
    return this.key.length;
  }

  end(): void {
    this.#entries.return();
  }
}

const NOTHING = Buffer.alloc(0);
