import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import { test } from 'node:test';
import { definePlugin, Type } from 'plugboard/sdk';
import { bootTest } from 'plugboard/testing';

let running = 0;
let mostAtOnce = 0;

const plugin = definePlugin({
  name: 'slowly',
  api: 1,
  config: Type.Object({}, { additionalProperties: false }),
  setup: () => ({
    routes(app) {
      app.get('/of/:number', async (request) => {
        running += 1;
        mostAtOnce = Math.max(mostAtOnce, running);
        await turn();
        running -= 1;
        return request.params;
      });
      app.post('/length', { schema: { body: Type.Unknown() } }, (request) => ({
        length: JSON.stringify(request.body).length,
      }));
    },
  }),
});

test('requests that come together on one connection are answered one after another, in their order', async () => {
  await using server = await bootTest({ plugins: [{ plugin }] });
  const { port } = new URL(await server.listen());
  const socket = connect(Number(port), '127.0.0.1');
  const requests = Array.from({ length: 100 }, (_, at) => {
    const close = at === 99 ? 'connection: close\r\n' : '';
    return `GET /of/${at} HTTP/1.1\r\nhost: localhost\r\n${close}\r\n`;
  });
  socket.write(requests.join(''));
  const answers = (await text(socket)).match(/"number":"\d+"/g);
  assert.deepEqual(
    answers,
    requests.map((_, at) => `"number":"${at}"`),
  );
  assert.equal(mostAtOnce, 1);
});

test('a client that leaves while its requests wait leaves none of them running, and others are answered', async () => {
  await using server = await bootTest({ plugins: [{ plugin }] });
  const url = await server.listen();
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write('GET /of/1 HTTP/1.1\r\nhost: localhost\r\n\r\n'.repeat(50));
  await new Promise((resolve) => socket.once('data', resolve));
  socket.resetAndDestroy();
  assert.equal((await fetch(`${url}/of/2`)).status, 200);
  assert.equal((await fetch(`${url}/of/3`)).status, 200);
  assert.equal(running, 0);
});

test('a client that sends thousands of requests without waiting for answers is cut off', async () => {
  await using server = await bootTest({ plugins: [{ plugin }] });
  const url = await server.listen();
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write('GET /of/1 HTTP/1.1\r\nhost: localhost\r\n\r\n'.repeat(20_000));
  socket.resume();
  await closed;
  assert.equal((await fetch(`${url}/of/2`)).status, 200);
});

test('a body of thousands of chunks of a byte arrives whole', async () => {
  await using server = await bootTest({ plugins: [{ plugin }] });
  const { port } = new URL(await server.listen());
  const socket = connect(Number(port), '127.0.0.1');
  const digits = '7'.repeat(9_000);
  socket.write('POST /length HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n');
  socket.write('content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n');
  for (const character of `"${digits}"`) socket.write(`1\r\n${character}\r\n`);
  socket.write('0\r\n\r\n');
  assert.match(await text(socket), /\{"length":9002\}/);
});
