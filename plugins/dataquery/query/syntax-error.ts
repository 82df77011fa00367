/** SVC100: a parameter of the query string that does not parse. */
import { ServiceError } from 'plugboard/sdk';

/** `label` names the parameter and quotes its value; `column` counts characters from 1. */
export function syntaxError(label: string, column: number, details: string): ServiceError {
  return new ServiceError('SVC100', {
    status: 400,
    message: `"${label}" (line 1, column ${column})`,
    details,
    hint: null,
  });
}
