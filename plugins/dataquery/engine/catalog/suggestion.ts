/** The suggestion at the end of a problem's message. */
import { mostSimilar } from '../base/similar.js';

/** `; did you mean "x"?`, or nothing. */
export function suggestion(name: string, known: Iterable<string>): string {
  const near = mostSimilar(known, name, 0.5);
  return near === undefined ? '' : `; did you mean "${near}"?`;
}
