/**
 * What one connection may bring into one turn of the event loop. Node hands out at once whatever has arrived: a
 * thousand requests behind each other in one packet, or a body in a hundred thousand pieces of a byte.
 */
import type { IncomingMessage } from 'node:http';

/** Pieces of a body that are taken in one turn. */
const PIECES = 1_000;

/** Requests of one connection that wait; a client that sends more of them is cut off. */
const MOST_WAITING = 200;

/** What a connection's answer under way is followed by: starts of requests that came before it had ended. */
const WAITING = Symbol('plugboard.waiting');
type Line = { [WAITING]?: (() => void)[] | undefined };

/** Begins a request, at once or when those before it have ended. Call it first: a request that waits has cost next to nothing. */
export function inLine(request: IncomingMessage, begin: () => void): void {
  if (request.headers['transfer-encoding'] !== undefined) pacePieces(request);
  const line = request.socket as Line;
  if (line[WAITING] === undefined) {
    line[WAITING] = NOBODY;
    begin();
    return;
  }
  if (line[WAITING] === NOBODY) line[WAITING] = [];
  if (line[WAITING].length < MOST_WAITING) line[WAITING].push(begin);
  else request.socket.destroy();
}

/** Of a connection with a request under way and none behind it, as nearly all are. */
const NOBODY: (() => void)[] = [];

/** The answer to a request has ended: the next one of its connection begins in the next turn. */
export function endTurn(request: IncomingMessage): void {
  const line = request.socket as Line;
  const next = line[WAITING]?.shift();
  if (next === undefined) line[WAITING] = undefined;
  else setImmediate(next);
}

/** What Node's own server calls of a request, beside what is documented. */
interface Incoming {
  _read(size: number): void;
  /** Takes what is left of a body that nobody wanted. */
  _dump(): void;
}

/**
 * Nothing is read from the connection for the rest of the turn once a body has come in so many pieces. `pause` would
 * not do: Node's parser reads the socket by itself until `push` answers false, and again at the next `_read`.
 */
function pacePieces(request: IncomingMessage): void {
  const own = request as unknown as Incoming;
  const push = request.push.bind(request);
  const read = own._read.bind(request);
  let pieces = 0;
  let isHeld = false;
  own._read = (size) => {
    if (!isHeld) read(size);
  };
  // Without this, pieces of an unwanted body pass `push` by.
  own._dump = () => void request.resume();
  request.push = (piece: unknown, encoding?: BufferEncoding): boolean => {
    const isWanted = push(piece, encoding);
    pieces += 1;
    if (piece === null || pieces % PIECES !== 0) return isWanted && !isHeld;
    isHeld = true;
    setImmediate(() => {
      isHeld = false;
      if (!request.destroyed && request.readableLength < request.readableHighWaterMark) read(0);
    });
    return false;
  };
}
