/** Distribution of a query's cosines over many rows. */

export interface Moments {
  readonly mean: number;
  readonly variance: number;
}

/** From the number of scores, their sum and the sum of their squares. */
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
