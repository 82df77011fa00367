/** Requests that are not HTTP, answered on the bare socket: no route and no plugin are known yet. */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { kernelErrors } from './errors.js';

/** Node keeps the answer that is being written on a connection here. */
type Connection = Socket & { readonly _httpMessage?: ServerResponse | null };

export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  // Into an answer that has begun, another one must not be written: its reader would take it for a part of it.
  const answering = (socket as Connection)._httpMessage?.headersSent === true;
  if (error.code === 'ECONNRESET' || answering || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, code, message } =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? kernelErrors.headers_too_large()
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? kernelErrors.request_timeout()
        : kernelErrors.malformed_http();
  const body = JSON.stringify({ code, message, details: null, hint: null });
  socket.end(
    `HTTP/1.1 ${status} \r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
