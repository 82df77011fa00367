/** Progress for a person at a terminal: often enough to see that it runs, without a flood of lines. */

/** Reports at most once in `interval` milliseconds, the first time `first` milliseconds from now. */
export function everySoOften<A extends readonly unknown[]>(
  report: (...figures: A) => void,
  interval: number,
  first = interval,
): (...figures: A) => void {
  let due = performance.now() + first;
  return (...figures) => {
    if (performance.now() < due) return;
    due = performance.now() + interval;
    report(...figures);
  };
}
