/** Recent clips, least recently used out first. */
import { hash } from 'node:crypto';
import type { Clock } from 'plugboard/sdk';

export interface Clip {
  readonly audio: Buffer;
  /** What is charged, and sent in the header. */
  readonly ms: number;
}

interface Entry {
  readonly clip: Clip;
  readonly until: number;
}

export class ClipCache {
  /** In the order of use. */
  readonly #entries = new Map<string, Entry>();
  readonly #bytes: number;
  readonly #life: number;
  readonly #clock: Clock;
  #used = 0;

  /** `life` in milliseconds. */
  constructor(clock: Clock, bytes: number, life: number) {
    this.#clock = clock;
    this.#bytes = bytes;
    this.#life = life;
  }

  /** The lengths of the parts are included, so that no two lists make the same key. */
  static keyOf(...parts: readonly (string | number)[]): string {
    return hash('sha256', JSON.stringify(parts));
  }

  get(key: string): Clip | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#drop(key, entry);
    if (entry.until <= this.#clock.now()) return undefined;
    this.#keep(key, entry);
    return entry.clip;
  }

  set(key: string, clip: Clip): void {
    const old = this.#entries.get(key);
    if (old !== undefined) this.#drop(key, old);
    // One clip must not evict all others.
    if (clip.audio.length > this.#bytes / 2) return;
    this.#keep(key, { clip, until: this.#clock.now() + this.#life });
    for (const [oldest, entry] of this.#entries) {
      if (this.#used <= this.#bytes) break;
      this.#drop(oldest, entry);
    }
  }

  #keep(key: string, entry: Entry): void {
    this.#entries.set(key, entry);
    this.#used += entry.clip.audio.length;
  }

  #drop(key: string, entry: Entry): void {
    this.#entries.delete(key);
    this.#used -= entry.clip.audio.length;
  }
}
