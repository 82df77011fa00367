/** An instant that a request names. */
import { errors } from '../../engine/base/errors.js';

/** Milliseconds since the epoch; undefined: none is named. Throws `invalid_date`. */
export function instantOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const instant = Date.parse(text);
  if (Number.isNaN(instant))
    throw errors.invalid_date({ values: { param: 'asOf', value: text }, param: 'asOf' });
  return instant;
}
