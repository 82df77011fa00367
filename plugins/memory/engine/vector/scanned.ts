/** What a scan answers. */
import type { Kept } from './best.js';
import type { Moments } from './spread.js';

export interface Scanned extends Kept {
  /** Of the cosines of all rows, those that were not kept included. */
  readonly all: Moments;
}
