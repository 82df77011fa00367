/**
 * Reads the entries of many ranges. If they are close together, one walk continues from range to range, in a tenth of
 * the time of a walk for each; otherwise a new walk begins.
 */
import type { Reader } from '../lmdb/environment.js';
import type { EntryPlace, Range } from '../lmdb/key-space.js';

/** Entries to step over between two ranges: a new walk costs as much. */
const MOST_PASSED = 8;

/** `ranges` are ascending and do not overlap. */
export function* leap(reader: Reader, ranges: readonly Range[]): Generator<EntryPlace, void> {
  const { end } = ranges.at(-1)!;
  let next = 0;
  let { start: from, end: to } = ranges[0]!;
  let walk = reader.walk('indexes', { start: from, end });
  let inside = true;
  let passed = 0;
  // Step over fewer entries after a failed attempt.
  let most = MOST_PASSED;
  try {
    while (walk.step()) {
      while (!isBefore(walk, to)) {
        ({ start: from, end: to } = ranges[++next]!);
        inside = false;
      }
      if (inside || !isBefore(walk, from)) {
        if (!inside && passed > 0) most = MOST_PASSED;
        inside = true;
        passed = 0;
        yield walk;
      } else if (++passed > most) {
        walk.end();
        walk = reader.walk('indexes', { start: from, end });
        inside = true;
        passed = 0;
        most >>= 1;
      }
    }
  } finally {
    walk.end();
  }
}

/** Whether the key is below the bound. */
function isBefore({ keyBytes, keyStart, keyEnd }: EntryPlace, bound: Buffer): boolean {
  const length = Math.min(keyEnd - keyStart, bound.length);
  for (let at = 0; at < length; at++) {
    const difference = keyBytes[keyStart + at]! - bound[at]!;
    if (difference !== 0) return difference < 0;
  }
  return keyEnd - keyStart < bound.length;
}
