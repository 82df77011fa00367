/** Long answers are what `JSON.stringify` would have sent. */
import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { definePlugin, sendInTurns, Type } from 'plugboard/sdk';
import { bootTest } from 'plugboard/testing';

const ANSWERS: readonly object[] = [
  {},
  { data: [] },
  { data: [{ a: 1 }, undefined, null, 'text', [1, [2]]], total: 2, none: undefined, next: null },
  {
    before: 'ü"\n',
    data: Array.from({ length: 40 }, (_, at) => ({ at, text: '한국어 '.repeat(1_000) })),
    after: [],
  },
  { one: [{ text: 'x'.repeat(200_000) }], two: [1, 2, 3] },
];

const MANY = 2_000;
let written = 0;
let ended: Promise<unknown> | undefined;

/** An item of many megabytes of them; the client of the first one leaves. */
function itemFor(socket: Socket): object {
  return {
    toJSON: () => {
      if (written++ === 0) socket.destroy();
      return 'x'.repeat(50_000);
    },
  };
}

let making = 0;
let most = 0;

const lists = definePlugin({
  name: 'lists',
  api: 1,
  config: Type.Object({}, { additionalProperties: false }),
  setup: () => ({
    routes: (app) => {
      app.get('/lists/:at', (request, reply) =>
        sendInTurns(reply, async () => ANSWERS[Number((request.params as { at: string }).at)]!),
      );
      app.get('/left', (request, reply) => {
        const data = Array.from({ length: MANY }, () => itemFor(request.raw.socket));
        return (ended = sendInTurns(reply, async () => ({ data })));
      });
      app.get('/slow', async (_request, reply) =>
        sendInTurns(reply, async () => {
          most = Math.max(most, (making += 1));
          await setImmediate();
          making -= 1;
          return {};
        }),
      );
    },
  }),
});

test('an answer that is written in turns is the JSON of its object', async () => {
  await using server = await bootTest({ plugins: [{ plugin: lists }] });
  for (const [at, expected] of ANSWERS.entries()) {
    const answer = await server.inject(`/lists/${at}`);
    assert.equal(answer.body, JSON.stringify(expected));
    assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
    assert.equal(answer.headers['content-length'], String(Buffer.byteLength(answer.body)));
  }
});

test('nothing more is written for a client that has left', async () => {
  await using server = await bootTest({ plugins: [{ plugin: lists }] });
  const url = await server.listen();
  await assert.rejects(fetch(`${url}/left`));
  await ended;
  assert.ok(written > 0 && written < MANY, `${written} of ${MANY}`);
});

test('eight answers are made at a time, and each asker gets one', async () => {
  await using server = await bootTest({ plugins: [{ plugin: lists }] });
  const answers = await Promise.all(Array.from({ length: 30 }, () => server.inject('/slow')));
  assert.deepEqual(new Set(answers.map(({ body }) => body)), new Set(['{}']));
  assert.equal(most, 8);
});
