/** What plugins do when a request has been answered. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { definePlugin, goneSignal, Type, whenAnswered } from 'plugboard/sdk';
import { bootTest } from 'plugboard/testing';

test('who waits for the end of an answer is called once, in order, also when the client leaves, which the signal tells', async (t) => {
  const seen: string[] = [];
  const signals: AbortSignal[] = [];
  let ended = (): void => undefined;
  const end = new Promise<void>((resolve) => (ended = resolve));
  const plugin = definePlugin({
    name: 'answers',
    api: 1,
    config: Type.Object({}, { additionalProperties: false }),
    setup: () => ({
      routes: (app) => {
        app.get('/at-once', (_request, reply) => {
          signals.push(goneSignal(reply));
          for (const name of ['first', 'second']) whenAnswered(reply, () => seen.push(name));
          return {};
        });
        app.get('/never', (_request, reply) => {
          signals.push(goneSignal(reply));
          whenAnswered(reply, ended);
          socket.destroy();
        });
      },
    }),
  });
  const server = await bootTest({ plugins: [{ plugin }] });
  t.after(() => server.stop());
  const { port } = new URL(await server.listen());
  const answer = await fetch(`http://127.0.0.1:${port}/at-once`);
  assert.equal(answer.status, 200);
  assert.deepEqual(seen, ['first', 'second']);
  const socket = connect(Number(port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write('GET /never HTTP/1.1\r\nhost: localhost\r\n\r\n');
  await end;
  assert.deepEqual(
    signals.map((signal) => signal.aborted),
    [false, true],
  );
});
