/** What a plugin does when a request has been answered. */
import type { Reply } from '../http/routes.js';

const END = Symbol.for('plugboard.answered');
type Ending = Reply & { [END]?: () => void };

/**
 * Calls `end` when the answer has been sent, or its connection is lost: once, and in the order of the calls. A second listener
 * for `close` on `reply.raw` would do the same, and V8 keeps the list of two that Node then makes, with the request, until
 * a full collection: it doubled the processor time of a small request.
 */
export function whenAnswered(reply: Reply, end: () => void): void {
  const ending = reply as Ending;
  const before = ending[END];
  ending[END] =
    before === undefined
      ? end
      : () => {
          before();
          end();
        };
}

/** Aborted when the client leaves before its answer has been sent; it may have left while its key was looked up. */
export function goneSignal(reply: Reply): AbortSignal {
  const { raw } = reply;
  if (raw.destroyed) return AbortSignal.abort();
  const gone = new AbortController();
  whenAnswered(reply, () => {
    if (!raw.writableFinished) gone.abort();
  });
  return gone.signal;
}

/** For the kernel. */
export function answered(reply: Reply): void {
  (reply as Ending)[END]?.();
}
