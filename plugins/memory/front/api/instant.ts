/** An instant named in a request. */
import { errors } from '../../engine/base/errors.js';

/** Milliseconds since the epoch; undefined: none given. Throws `invalid_date`. */
export function instantOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const instant = Date.parse(text);
  if (Number.isNaN(instant))
    throw errors.invalid_date({ values: { param: 'asOf', value: text }, param: 'asOf' });
  return instant;
}
