/**
 * Bounds the work of one connection in one turn of the event loop. Node emits everything that has arrived at once: a
 * thousand pipelined requests in one packet, or a body in a hundred thousand chunks of a byte.
 */
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { setImmediate as nextLoop } from 'node:timers/promises';
import type { preParsingHookHandler } from 'fastify';
import { nextTurn } from '../../sdk/kit/turns.js';

/** Pipelined requests of one connection; a client that sends more is disconnected. */
const MOST_WAITING = 200;

/** Pipelined requests queued after the current response of their connection. */
const WAITING = Symbol('plugboard.waiting');
type Line = { [WAITING]?: (() => void)[] | undefined };

/** Begins a request, at once or when those before it have ended. Call it first: a request that waits has cost next to nothing. */
export function inLine(request: IncomingMessage, begin: () => void): void {
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

/** The empty queue of a connection with one request in flight, as nearly all have. */
const NOBODY: (() => void)[] = [];

/** The answer to a request has ended: the next one of its connection begins in the next turn. */
export function endTurn(request: IncomingMessage): void {
  const line = request.socket as Line;
  const next = line[WAITING]?.shift();
  if (next === undefined) line[WAITING] = undefined;
  else setImmediate(next);
}

/** Bytes of a body that takes a part of a millisecond to put together and to decode. */
const LARGE = 64 * 1024;

/**
 * For the `preParsing` hook. Its reader would pay for each piece of a body: what arrives in one turn of the event loop is
 * gathered, and before a large body ends, others have a turn.
 */
export const paceBody: preParsingHookHandler = (request, _reply, payload, done) => {
  const { 'transfer-encoding': encoding, 'content-length': length } = request.headers;
  if (encoding === undefined && !(Number(length) > LARGE)) done(null, payload);
  else done(null, Readable.from(gathered(payload), { objectMode: false }) as unknown as typeof payload);
};

async function* gathered(payload: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let size = 0;
  // The iterator of a stream takes all pieces that wait there as one.
  for await (const pieces of payload) {
    size += pieces.length;
    yield pieces;
    await nextLoop();
  }
  // The parser joins and decodes the chunks when the body ends.
  if (size > LARGE) await nextTurn();
}
