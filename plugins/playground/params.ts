/** Parameters of calls as they are stored. */
import { errors } from './errors.js';

/** Characters. */
const MOST = 50_000;

/** As JSON. Throws when it is too long. */
export function paramsText(params: object): string {
  const text = JSON.stringify(params);
  if (text.length > MOST) throw errors.params_too_long({ values: { limit: MOST }, param: 'params' });
  return text;
}
