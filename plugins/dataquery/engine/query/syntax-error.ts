/** SVC100: a parameter of the query string that does not parse. */
import type { ServiceError } from 'plugboard/sdk';
import { errors } from '../base/errors.js';

/** `label` names the parameter and quotes its value; `column` counts characters from 1. */
export function syntaxError(label: string, column: number, details: string): ServiceError {
  return errors.SVC100({ message: `"${label}" (line 1, column ${column})`, details });
}
