/** A pool as it is kept on disk between two starts: plain values, its living documents numbered from 0. */
import type { Language } from '../analyzer/language.js';

export interface KeptPool {
  readonly ids: readonly string[];
  /** By document: the fingerprint of the text, the number of its terms, its language. */
  readonly prints: Float64Array;
  readonly lengths: Uint32Array;
  readonly languages: readonly (Language | undefined)[];
  readonly terms: readonly string[];
  /** By term: how many documents have it. */
  readonly counts: Uint32Array;
  /** The postings of the first term, then those of the second, and so on; see postings.ts. */
  readonly postings: Uint32Array;
}
