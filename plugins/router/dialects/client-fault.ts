/** What a client sent is its own fault: `invalid_request` for what is `Unreadable`. */
import { errors } from '../errors.js';
import { Unreadable } from './reading.js';

export function readFromClient<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof Unreadable)
      throw errors.invalid_request({ values: { message: error.message }, param: error.param });
    throw error;
  }
}
