/** Errors for requests that reach no route: written by hand, in the kernel's own dialect. */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { randomToken } from '../../sdk/crypto.js';
import type { ErrorRenderer, ServiceError } from '../../sdk/http/errors.js';
import { kernelErrors } from '../errors.js';
import { identify } from '../identify.js';

/** For a request without a server to handle it. */
export function refuse(
  answer: ServerResponse,
  { status, headers, code, message, fields }: ServiceError,
): void {
  const { details = null, hint = null } = fields;
  send(answer, status, { code, message, details, hint }, headers);
}

export function send(
  answer: ServerResponse,
  status: number,
  body: object,
  headers: ServiceError['headers'] = {},
): void {
  identify(answer, randomToken(12));
  answer.writeHead(status, { ...headers, 'content-type': 'application/json; charset=utf-8' });
  answer.end(JSON.stringify(body));
}

/** For input that is not HTTP: writes to the bare socket. */
export function clientErrorHandler(
  renderer: ErrorRenderer,
): (error: NodeJS.ErrnoException, socket: Socket) => void {
  return (error, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const id = randomToken(12);
    const { status, headers, body } = renderer.render(clientError(error), 'svc', { id });
    const text = JSON.stringify(body);
    const type = headers?.['content-type'] ?? 'application/json; charset=utf-8';
    const lines = Object.entries({
      ...headers,
      'x-request-id': id,
      'content-type': type,
      'content-length': String(Buffer.byteLength(text)),
      connection: 'close',
    }).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status} \r\n${lines.join('')}\r\n${text}`);
  };
}

function clientError({ code }: NodeJS.ErrnoException): ServiceError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return kernelErrors.headers_too_large();
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return kernelErrors.request_timeout();
    default:
      return kernelErrors.malformed_http();
  }
}
