import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { definePlugin, sendInTurns, SLOW_READERS, Type, type Pieces } from 'plugboard/sdk';
import { bootTest } from 'plugboard/testing';

const MB = 1_000_000;
/** More than the buffers of the system take. */
const LENGTH = 20 * MB;

const TEXT = 'x'.repeat(LENGTH);
const LIST = { data: Array.from({ length: 20 }, () => 'x'.repeat(MB)) };
/** A body whose pieces are all made. */
const pieces = (): Pieces => {
  let left = LENGTH / MB;
  return {
    get held() {
      return left * MB;
    },
    next: async () => ((left -= 1) < 0 ? { done: true, value: undefined } : { value: 'x'.repeat(MB) }),
    return: async () => (left = 0),
  };
};
const large = definePlugin({
  name: 'large',
  api: 1,
  config: Type.Object({}, { additionalProperties: false }),
  needs: { readers: SLOW_READERS },
  setup: ({ needs: { readers } }) => ({
    routes(app) {
      app.get('/text', () => TEXT);
      app.get('/list', (_request, reply) => sendInTurns(reply, async () => LIST));
      app.get('/stream', (_request, reply) => reply.send(readers.stream(pieces())));
    },
  }),
});
const server = await bootTest({ plugins: [{ plugin: large }], server: { maxUnread: 2.5 * LENGTH } });
after(() => server.stop());
const port = Number(new URL(await server.listen()).port);

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
  ['/stream', LENGTH],
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
