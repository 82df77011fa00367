/**
 * Intersects several ranges of one index. Without their common prefix, the keys of all ranges are in the same order,
 * so each walk can skip what another one lacks.
 */
import { readText } from '../../bson/decode.js';
import type { Reader } from '../lmdb/environment.js';
import type { EntryPlace, Walk } from '../lmdb/key-space.js';
import { successor } from '../values/key-encoding.js';
import type { Run } from './runs.js';

/** Entries to step over before starting a new walk, which costs several steps. */
const MOST_PASSED = 16;

/** Moves, of up to `MOST_PASSED` steps each, after which a search without a result yields. */
const MOVES = 32;

/** Ids in key order; undefined now and then during a long search. All runs have one direction. */
export function* intersect(reader: Reader, runs: readonly Run[]): Generator<string | undefined, void> {
  const walks = runs.map((run) => new SeekingWalk(reader, run));
  try {
    if (!walks[0]!.next()) return;
    let target = walks[0]!.rest;
    let agreeing = 1;
    for (let at = 1; ; at++) {
      const walk = walks[at % walks.length]!;
      if (!walk.reach(target)) return;
      if (walk.rest.equals(target)) agreeing++;
      else [target, agreeing] = [walk.rest, 1];
      if (agreeing === walks.length) {
        yield walk.id;
        if (!walk.next()) return;
        [target, agreeing] = [walk.rest, 1];
      } else if (at % MOVES === 0) yield undefined;
    }
  } finally {
    for (const walk of walks) walk.end();
  }
}

/** A walk over one range. */
class SeekingWalk {
  readonly #reader: Reader;
  readonly #run: Run;
  readonly #direction: 1 | -1;
  #walk: Walk;
  /** The key after the common prefix. */
  rest: Buffer = NOTHING;

  constructor(reader: Reader, run: Run) {
    this.#reader = reader;
    this.#run = run;
    this.#direction = run.range.reverse === true ? -1 : 1;
    this.#walk = reader.walk('indexes', run.range);
  }

  next(): boolean {
    return this.#walk.step() && this.#stop();
  }

  /** Advances to the first entry at or after the target. */
  reach(target: Buffer): boolean {
    if (this.rest !== NOTHING && Buffer.compare(this.rest, target) * this.#direction >= 0) return true;
    for (let passed = 0; passed < MOST_PASSED; passed++) {
      if (!this.#walk.step()) return false;
      if (compareRest(this.#walk, this.#run.alike, target) * this.#direction >= 0) return this.#stop();
    }
    this.#walk.end();
    this.#walk = this.#reader.walk('indexes', this.#from(target));
    return this.next();
  }

  #from(target: Buffer): Run['range'] {
    const { range, alike } = this.#run;
    const key = Buffer.concat([range.start.subarray(0, alike), target]);
    return this.#direction === 1 ? { ...range, start: key } : { ...range, end: successor(key) };
  }

  /** Overwritten by the next step of any walk. */
  #stop(): true {
    const { keyBytes, keyStart, keyEnd } = this.#walk;
    const start = keyStart + this.#run.alike;
    this.rest = Buffer.copyBytesFrom(keyBytes, start, keyEnd - start);
    return true;
  }

  /** The walk that moved last: the entries of the others are overwritten. */
  get id(): string {
    return readText(this.#walk.bytes, 0, this.#walk.length);
  }

  end(): void {
    this.#walk.end();
  }
}

const NOTHING = Buffer.alloc(0);

function compareRest({ keyBytes, keyStart, keyEnd }: EntryPlace, alike: number, target: Buffer): number {
  return keyBytes.compare(target, 0, target.length, keyStart + alike, keyEnd);
}
