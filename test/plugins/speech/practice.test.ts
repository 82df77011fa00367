import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { test } from 'node:test';
import { EngineError } from '../../../plugins/speech/engines/engine.js';
import { practise } from '../../../plugins/speech/service/practice.js';

test('each child speaks the same few sentences, one at a time', async () => {
  const spoken: string[] = [];
  let [started, speaking, most] = [0, 0, 0];
  const engine = {
    warm: () => void (started += 1),
    speak: async ({ sentence }: { sentence: { text: string } }) => {
      most = Math.max(most, (speaking += 1));
      await turn();
      speaking -= 1;
      spoken.push(sentence.text);
      return { parts: [], sampleRate: 22_050 };
    },
  };
  await practise(engine, 3, new AbortController().signal);
  const different = new Set(spoken);
  assert.ok(different.size >= 5, `${different.size} sentences`);
  assert.deepEqual([started, most, spoken.length], [1, 3, 3 * different.size]);
});

test('an engine that fails, and a server that stops, end the practice without an error', async () => {
  const stopped = new AbortController();
  const speak = (): Promise<never> => Promise.reject(new EngineError('failed', 'no'));
  await practise({ warm() {}, speak }, 1, stopped.signal);
  const left = { warm() {}, speak: () => Promise.reject(new Error('the server stops')) };
  const waiting = practise(left, 1, stopped.signal);
  stopped.abort();
  await waiting;
});
