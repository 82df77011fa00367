/** A name that means an embedded resource which `select` does not embed. */
import type { ServiceError } from 'plugboard/sdk';
import { errors } from '../base/errors.js';

export function notEmbedded(name: string): ServiceError {
  return errors.SVC108({
    values: { name },
    hint: `Verify that '${name}' is included in the 'select' query parameter.`,
  });
}
