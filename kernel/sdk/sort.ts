/** Sorting in steps, for many items or expensive comparisons. */

/** Items sorted per step. */
const RUN = 64;
/** Items merged per step. */
const MERGED = 128;

/**
 * A stable sort in steps; the caller may yield to the event loop between them. `items` is not changed. `isLong`: a
 * comparison may take milliseconds, so each one is a step.
 */
export function* sortInSteps<T>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
  isLong = false,
): Generator<undefined, T[]> {
  const run = isLong ? 1 : RUN;
  const step = isLong ? 1 : MERGED;
  let runs: T[][] = [];
  for (let at = 0; at < items.length; at += run) {
    runs.push(items.slice(at, at + run).sort(compare));
    if (!isLong) yield;
  }
  while (runs.length > 1) {
    const longer: T[][] = [];
    for (let at = 0; at < runs.length; at += 2) {
      const [left = [], right] = [runs[at], runs[at + 1]];
      longer.push(right === undefined ? left : yield* merged(left, right, compare, step));
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
  step: number,
): Generator<undefined, T[]> {
  // Already in order.
  if (compare(left.at(-1)!, right[0]!) <= 0) return left.concat(right);
  const both: T[] = [];
  let [l, r] = [0, 0];
  while (l < left.length && r < right.length) {
    both.push(compare(left[l]!, right[r]!) <= 0 ? left[l++]! : right[r++]!);
    if (both.length % step === 0) yield;
  }
  while (l < left.length) both.push(left[l++]!);
  while (r < right.length) both.push(right[r++]!);
  return both;
}
