/** The result of a scan. */
import type { Kept } from './best.js';
import type { Moments } from './spread.js';

export interface Scanned extends Kept {
  /** Of the cosines of all rows, including those not kept. */
  readonly all: Moments;
}
