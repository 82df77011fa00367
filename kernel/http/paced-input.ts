/**
 * What one connection may bring into one turn of the event loop. Node hands out at once whatever has arrived: a
 * thousand requests behind each other in one packet, or a body in a hundred thousand pieces of a byte.
 */
import type { IncomingMessage } from 'node:http';
import { nextTurn } from '../sdk/turns.js';

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
  else if (Number(request.headers['content-length']) > LARGE) endInTurn(request);
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

/** Bytes of a body that takes a part of a millisecond to put together and to decode. */
const LARGE = 64 * 1024;

/** Its reader does both where a body ends: of many that come at once, one in a turn of the event loop. */
function endInTurn(request: IncomingMessage): void {
  const push = request.push.bind(request);
  request.push = (piece: unknown, encoding?: BufferEncoding): boolean => {
    if (piece !== null) return push(piece, encoding);
    end(push);
    return false;
  };
}

function end(push: (piece: null) => boolean): void {
  void nextTurn().then(() => push(null));
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
 * The pieces that one read of the connection brings are handed on as one: each of them would cost its reader as much.
 * Behind many of them, nothing is read for the rest of the turn. `pause` would not do: Node's parser reads the socket
 * by itself until `push` answers false, and again at the next `_read`.
 */
function pacePieces(request: IncomingMessage): void {
  const own = request as unknown as Incoming;
  const push = request.push.bind(request);
  const read = own._read.bind(request);
  let gathered: Uint8Array[] = [];
  let size = 0;
  let isWanted = true;
  let isHeld = false;
  own._read = (size) => {
    isWanted = true;
    if (!isHeld) read(size);
  };
  // Without this, pieces of an unwanted body pass `push` by.
  own._dump = () => void request.resume();
  const handOn = (): void => {
    if (gathered.length === 0) return;
    const pieces = gathered;
    gathered = [];
    isWanted = push(pieces.length === 1 ? pieces[0] : Buffer.concat(pieces));
  };
  const hold = (): void => {
    isHeld = true;
    setImmediate(() => {
      isHeld = false;
      if (!request.destroyed && request.readableLength < request.readableHighWaterMark) read(0);
    });
  };
  request.push = (piece: Uint8Array | null): boolean => {
    if (piece === null) {
      handOn();
      if (size <= LARGE) return push(null);
      end(push);
      return false;
    }
    gathered.push(piece);
    size += piece.length;
    // Ticks run between two pieces of one read.
    if (gathered.length === 1) setImmediate(handOn);
    if (gathered.length % PIECES === 0 && !isHeld) hold();
    return isWanted && !isHeld;
  };
}
