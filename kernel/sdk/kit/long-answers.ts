/** Long answers, written in turns of the event loop: one with a list of a few megabytes would hold all others up. */
import type { Reply } from '../http/routes.js';
import { Semaphore } from './semaphore.js';
import { nextTurn, turnIsOver } from './turns.js';

/** Characters that are encoded together. */
const PIECE = 50_000;

/** Answers that are made at a time. Each is whole in memory, as what was read and as what is sent: some 50 MB together. */
const AT_ONCE = 8;
const making = new Semaphore(AT_ONCE);

/**
 * Makes an answer and sends it as JSON; the items of its lists are written one by one. Of many long answers a few are made
 * at a time, and none for a client that has left. The whole of it is handed over, as the bound of what waits for clients
 * that do not read counts whole answers.
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

/** `Buffer.concat`, which takes as long as to encode the pieces. */
async function joinedInTurns(pieces: readonly Buffer[]): Promise<Buffer> {
  const joined = Buffer.allocUnsafe(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    at += piece.copy(joined, at);
    if (turnIsOver()) await nextTurn();
  }
  return joined;
}

/** The text of the answer, as `JSON.stringify` writes it. */
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
