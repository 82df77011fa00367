/** The on-disk form of a pool, kept between starts: plain values, live documents numbered from 0. */
import type { Language } from '../analyzer/language.js';

export interface KeptPool {
  readonly ids: readonly string[];
  /** By document: text fingerprint, number of terms, language. */
  readonly prints: Float64Array;
  readonly lengths: Uint32Array;
  readonly languages: readonly (Language | undefined)[];
  readonly terms: readonly string[];
  /** By term: document frequency. */
  readonly counts: Uint32Array;
  /** The postings of all terms, concatenated; see postings.ts. */
  readonly postings: Uint32Array;
}
