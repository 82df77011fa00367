import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { fastify } from 'fastify';
import { sendInTurns } from 'plugboard/sdk';
import { boundUnreadAnswers } from '../../../kernel/http/answers/unread-answers.js';

const MB = 1_000_000;
/** More than the buffers of the system take. */
const LENGTH = 20 * MB;

const app = fastify();
const bound = boundUnreadAnswers(2.5 * LENGTH);
app.addHook('onSend', (_request, reply, payload, done) => {
  done(null, payload);
  bound(reply, payload);
});
const TEXT = 'x'.repeat(LENGTH);
const LIST = { data: Array.from({ length: 20 }, () => 'x'.repeat(MB)) };
app.get('/text', () => TEXT);
app.get('/list', (_request, reply) => sendInTurns(reply, async () => LIST));
await app.listen({ port: 0, host: '127.0.0.1' });
after(() => app.close());
const { port } = app.server.address() as AddressInfo;

/** A client that asks and reads no further than the head. */
async function deaf(path: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`);
  await once(socket, 'readable');
  return socket;
}

for (const [path, length] of [
  ['/text', LENGTH],
  ['/list', JSON.stringify(LIST).length],
] as const)
  test(`of the answers of ${path} that nobody reads the one that has waited longest is cut off, and readers get theirs`, async () => {
    const first = await deaf(path);
    const second = await deaf(path);
    const answer = await fetch(`http://127.0.0.1:${port}${path}`);
    assert.equal((await answer.text()).length, length);
    first.resume();
    await once(first, 'close');
    assert.ok(first.bytesRead < LENGTH, `the first read ${first.bytesRead} bytes`);
    second.resume();
    let read = 0;
    for await (const chunk of second) {
      read += (chunk as Buffer).length;
      if (read > LENGTH) break;
    }
    assert.ok(read > LENGTH, `the second read ${read} bytes`);
  });
