/**
 * What one connection may bring into one turn of the event loop. Node hands out at once whatever has arrived: a
 * thousand requests behind each other in one packet, or a body in a hundred thousand pieces of a byte.
 */
import type { IncomingMessage } from 'node:http';
import type { Routes } from '../sdk/routes.js';

/** Pieces of a body that are taken in one turn. */
const PIECES = 1_000;

/** What a connection's answer under way is followed by: starts of requests that came before it had ended. */
const WAITING = Symbol('plugboard.waiting');
type Line = { [WAITING]?: (() => void)[] | undefined };

/** Adds the hook; it stands before all others, so that a request that waits has cost next to nothing. */
export function paceInput(app: Routes): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (request.raw.headers['transfer-encoding'] !== undefined) pacePieces(request.raw);
    const line = request.raw.socket as Line;
    const begin = (): void => {
      reply.raw.on('close', () => goOn(line));
      done();
    };
    if (line[WAITING] === undefined) {
      line[WAITING] = [];
      begin();
    } else line[WAITING].push(begin);
  });
}

/** The answer to the request that ran has ended: the next one begins in the next turn. */
function goOn(line: Line): void {
  const next = line[WAITING]?.shift();
  if (next === undefined) line[WAITING] = undefined;
  else setImmediate(next);
}

/** Nothing is read from the connection for the rest of the turn once a body has come in so many pieces. */
function pacePieces(request: IncomingMessage): void {
  const push = request.push.bind(request);
  let pieces = 0;
  request.push = (piece: unknown, encoding?: BufferEncoding): boolean => {
    const isWanted = push(piece, encoding);
    pieces += 1;
    if (!isWanted || pieces % PIECES !== 0 || piece === null) return isWanted;
    request.socket.pause();
    setImmediate(() => {
      if (!request.destroyed && request.readableLength < request.readableHighWaterMark)
        request.socket.resume();
    });
    return isWanted;
  };
}
