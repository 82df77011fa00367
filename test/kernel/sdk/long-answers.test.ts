/** Long answers are what `JSON.stringify` would have sent. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
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

const lists = definePlugin({
  name: 'lists',
  api: 1,
  config: Type.Object({}, { additionalProperties: false }),
  setup: () => ({
    routes: (app) => {
      app.get('/lists/:at', (request, reply) =>
        sendInTurns(reply, ANSWERS[Number((request.params as { at: string }).at)]!),
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
