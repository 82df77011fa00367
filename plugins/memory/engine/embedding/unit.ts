/** Normalises a model's vectors. */
import { EmbeddingUnavailable } from './embedder.js';

/** In place; an all-zero vector is unchanged. Throws `EmbeddingUnavailable` if a number is not finite. */
export function toUnit(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  if (squares === 0) return vector;
  if (!Number.isFinite(squares)) {
    throw new EmbeddingUnavailable('embed_failed', 'the model gave numbers that are not finite');
  }
  const scale = 1 / Math.sqrt(squares);
  for (let at = 0; at < vector.length; at++) vector[at]! *= scale;
  return vector;
}
