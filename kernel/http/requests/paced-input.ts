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

/** Begins a request, at once or after those before it. Call it first: a queued request has cost almost nothing. */
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

/** Call it when an answer has ended: the connection's next request begins in the next turn. */
export function endTurn(request: IncomingMessage): void {
  const line = request.socket as Line;
  const next = line[WAITING]?.shift();
  if (next === undefined) line[WAITING] = undefined;
  else setImmediate(next);
}

/** Bytes of a body that takes a part of a millisecond to put together and to decode. */
const LARGE = 64 * 1024;

/**
 * For the `preParsing` hook. Joins the pieces of a body that arrive in one turn of the event loop, as each costs its
 * reader, and gives others a turn before a large body ends.
 */
export const paceBody: preParsingHookHandler = (request, _reply, payload, done) => {
  const { 'transfer-encoding': encoding, 'content-length': length } = request.headers;
  if (encoding === undefined && !(Number(length) > LARGE)) done(null, payload);
  else done(null, Readable.from(gathered(payload), { objectMode: false }) as unknown as typeof payload);
};

async function* gathered(payload: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let size = 0;
  // A stream's iterator takes all waiting pieces as one.
  for await (const pieces of payload) {
    size += pieces.length;
    yield pieces;
    await nextLoop();
  }
  // The parser joins and decodes the chunks when the body ends.
  if (size > LARGE) await nextTurn();
}
