/** Long answers, written in turns of the event loop: one with a list of a few megabytes would hold all others up. */
import { Readable } from 'node:stream';
import type { Reply } from './routes.js';
import { nextTurn, turnIsOver } from './turns.js';

/** Characters that are encoded together. */
const PIECE = 50_000;

/** Sends the answer as JSON; the items of its lists are written one by one. */
export async function sendInTurns(reply: Reply, answer: object): Promise<Reply> {
  const encoded: Buffer[] = [];
  let text = '';
  for (const piece of jsonPieces(answer)) {
    text += piece;
    if (text.length < PIECE) continue;
    encoded.push(Buffer.from(text));
    text = '';
    if (turnIsOver()) await nextTurn();
  }
  void reply.type('application/json; charset=utf-8');
  if (encoded.length === 0) return reply.send(text);
  encoded.push(Buffer.from(text));
  // Piece by piece: to copy ten megabytes into one buffer takes as long as to encode them.
  void reply.header(
    'content-length',
    encoded.reduce((sum, { length }) => sum + length, 0),
  );
  return reply.send(Readable.from(encoded, { objectMode: false }));
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
