/** `match` and `imatch`: regular expressions written by clients. */
import { errors } from '../errors.js';

export function regularExpression(source: string, ignoreCase: boolean): (text: string) => boolean {
  try {
    const pattern = new RegExp(source, ignoreCase ? 'isu' : 'su');
    return (text) => pattern.test(text);
  } catch (cause) {
    throw errors['2201B']({ values: { reason: (cause as Error).message }, cause });
  }
}
