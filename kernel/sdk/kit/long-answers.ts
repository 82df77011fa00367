/** Long answers, encoded in turns of the event loop: a list of a few megabytes would block all other requests. */
import type { Reply } from '../http/routes.js';
import { Semaphore } from './semaphore.js';
import { nextTurn, turnIsOver } from './turns.js';

/** Characters encoded together. */
const PIECE = 50_000;

/** Concurrent answers. Each is in memory twice, as read and as sent: some 50 MB together. */
const AT_ONCE = 8;
const making = new Semaphore(AT_ONCE);

/**
 * Makes an answer and sends it as JSON; its list items are encoded one by one. A few long answers are made at a time,
 * and none for a client that has left. It is sent whole, because the bound on unread answers counts whole ones.
 */
export function sendInTurns(reply: Reply, make: () => Promise<object>): Promise<Reply> {
  return making.run(async () => (reply.raw.closed ? reply : write(reply, await make())));
}

async function write(reply: Reply, answer: object): Promise<Reply> {
  const encoded: Buffer[] = [];
  let text = '';
  for (const piece of jsonPieces(answer)) {
    text += piece;
    if (text.length < PIECE) continue;
    encoded.push(Buffer.from(text));
    text = '';
    if (turnIsOver()) await nextTurn();
    if (reply.raw.closed) return reply;
  }
  void reply.type('application/json; charset=utf-8');
  if (encoded.length === 0) return reply.send(text);
  encoded.push(Buffer.from(text));
  return reply.send(await joinedInTurns(encoded));
}

/** `Buffer.concat` in turns: it takes as long as encoding the pieces. */
async function joinedInTurns(pieces: readonly Buffer[]): Promise<Buffer> {
  const joined = Buffer.allocUnsafe(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    at += piece.copy(joined, at);
    if (turnIsOver()) await nextTurn();
  }
  return joined;
}

/** The text that `JSON.stringify` would write. */
function* jsonPieces(answer: object): Generator<string> {
  let before = '{';
  for (const [name, value] of Object.entries(answer) as [string, unknown][]) {
    if (value === undefined) continue;
    const member = `${before}${JSON.stringify(name)}:`;
    if (Array.isArray(value)) {
      for (const [at, item] of value.entries())
        yield `${at === 0 ? `${member}[` : ','}${JSON.stringify(item) ?? 'null'}`;
      yield value.length === 0 ? `${member}[]` : ']';
    } else yield member + JSON.stringify(value);
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}
