/** Near names, for `did you mean` and for hints. */

/** `; did you mean "x"?`, or nothing. */
export function suggestion(name: string, known: Iterable<string>): string {
  const near = nearest(name, known, (length) => Math.max(1, Math.floor(length / 3)));
  return near === undefined ? '' : `; did you mean "${near}"?`;
}

/** The name with the fewest edits, when they are at most `limit(length of the longer one)`. */
export function nearest(
  name: string,
  known: Iterable<string>,
  limit: (length: number) => number,
): string | undefined {
  let best: string | undefined;
  let least = Infinity;
  for (const candidate of known) {
    const edits = distance(name.toLowerCase(), candidate.toLowerCase());
    if (edits < least && edits <= limit(Math.max(name.length, candidate.length))) {
      best = candidate;
      least = edits;
    }
  }
  return best;
}

/** Edits that turn one into the other, where swapping neighbours is one edit (optimal string alignment). */
export function distance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1);
      }
      row.push(cost);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
