/** Sorting that can be interrupted: a comparison may be dear, and the items many. */

/** Items that are sorted in one go. */
const RUN = 64;
/** Items that are merged in one go. */
const MERGED = 128;

/** A stable sort in steps, between which the caller may give the event loop back; the items stay as they are. */
export function* sortInSteps<T>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
): Generator<undefined, T[]> {
  let runs: T[][] = [];
  for (let at = 0; at < items.length; at += RUN) {
    runs.push(items.slice(at, at + RUN).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const longer: T[][] = [];
    for (let at = 0; at < runs.length; at += 2) {
      const [left = [], right] = [runs[at], runs[at + 1]];
      longer.push(right === undefined ? left : yield* merged(left, right, compare));
      yield;
    }
    runs = longer;
  }
  return runs[0] ?? [];
}

function* merged<T>(
  left: readonly T[],
  right: readonly T[],
  compare: (a: T, b: T) => number,
): Generator<undefined, T[]> {
  const both: T[] = [];
  let [l, r] = [0, 0];
  while (l < left.length && r < right.length) {
    both.push(compare(left[l]!, right[r]!) <= 0 ? left[l++]! : right[r++]!);
    if (both.length % MERGED === 0) yield;
  }
  while (l < left.length) both.push(left[l++]!);
  while (r < right.length) both.push(right[r++]!);
  return both;
}
