/** An error for a request that reaches no server, and so no provider of errors: in the kernel's own dialect. */
import type { ServerResponse } from 'node:http';
import { randomToken } from '../sdk/crypto.js';
import type { ServiceError } from '../sdk/errors.js';
import { identify } from './answer.js';

/** Answers, and ends the connection: what is left of the request is not read. */
export function refuse(
  answer: ServerResponse,
  { status, headers, code, message, fields }: ServiceError,
): void {
  identify(answer, randomToken(12));
  answer.writeHead(status, {
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    connection: 'close',
  });
  const { details = null, hint = null } = fields;
  answer.end(JSON.stringify({ code, message, details, hint }));
}
