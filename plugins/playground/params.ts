/** Stored parameters of calls. */
import { errors } from './errors.js';

/** Characters. */
const MOST = 50_000;

/** As JSON. Throws if too long. */
export function paramsText(params: object): string {
  const text = JSON.stringify(params);
  if (text.length > MOST) throw errors.params_too_long({ values: { limit: MOST }, param: 'params' });
  return text;
}
