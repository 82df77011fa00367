/** How the cosines of a query with many rows are spread. */

export interface Moments {
  readonly mean: number;
  readonly variance: number;
}

/** Of all scores, by their number, their sum and that of their squares. */
export function momentsOf(count: number, sum: number, squares: number): Moments {
  if (count === 0) return { mean: 0, variance: 0 };
  const mean = sum / count;
  return { mean, variance: Math.max(0, squares / count - mean * mean) };
}

export function moments(scores: Float32Array): Moments {
  let sum = 0;
  let squares = 0;
  for (const value of scores) {
    sum += value;
    squares += value * value;
  }
  return momentsOf(scores.length, sum, squares);
}
