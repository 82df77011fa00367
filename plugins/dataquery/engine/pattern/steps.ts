/** Bounds the work of one pattern on one text: it runs in one go and blocks the event loop. */
import { errors } from '../base/errors.js';

/** About a tenth of a second in the worst case. */
const MOST_STEPS = 20_000_000;

/** Throws 54000. */
export function boundSteps(steps: number): void {
  if (steps <= MOST_STEPS) return;
  throw errors['54000']({ message: 'the pattern is too complex for a text of this length' });
}
