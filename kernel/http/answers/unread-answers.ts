/**
 * Bounds the buffered answers of all clients that do not read: above the limit the connection that has waited longest is
 * closed.
 */
import type { ServerResponse } from 'node:http';

/** Characters or bytes of an answer that counts: what is smaller fits into the buffers of the system. */
const LARGE = 64 * 1024;

/** Called with each answer before it is sent. */
export function boundUnreadAnswers(
  most: number,
): (reply: { readonly raw: ServerResponse }, payload: unknown) => void {
  /** The one that has waited longest first. */
  const waiting = new Map<ServerResponse, number>();
  let sum = 0;
  return (reply, payload) => {
    const length = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : 0;
    const answer = reply.raw;
    if (length < LARGE || answer.closed) return;
    waiting.set(answer, length);
    sum += length;
    answer.once('close', () => {
      if (waiting.delete(answer)) sum -= length;
    });
    for (const [oldest, its] of waiting) {
      if (sum <= most || oldest === answer) return;
      waiting.delete(oldest);
      sum -= its;
      oldest.destroy();
    }
  };
}
