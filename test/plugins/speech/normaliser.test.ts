import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { normalise } from '../../../plugins/speech/normalise/normalise.js';
import { read } from '../../../plugins/speech/reading/reading.js';
import cases from './normaliser.cases.json' with { type: 'json' };

test('every listed text is read as its source says', async () => {
  const said = await Promise.all(cases.map(({ text }) => normalise(text)));
  const wrong = cases
    .map(({ text, read: expected, source }, at) => ({ text, expected, said: said[at]?.text, source }))
    .filter(({ expected, said: reading }) => reading !== expected);
  assert.deepEqual(wrong, []);
  assert.ok(cases.length >= 150);
});

test('each change names its rule, what was written and what is read', async () => {
  const { changes } = await normalise('3개와 50%');
  assert.deepEqual(changes, [
    { rule: 'counter', from: '3개와', to: '세 개와' },
    { rule: 'measure', from: '50%', to: '오십 퍼센트' },
  ]);
});

test('whatever is sent, only Hangul, spaces and four marks come out', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.string({
      unit: fc.constantFrom(...'0123456789.,-/:~%$₩ 개명시월가나다kmKB@#()[]ㅋ漢<&>\n\u0000\ud800'),
      maxLength: 60,
    }),
  );
  await fc.assert(
    fc.asyncProperty(text, async (input) => {
      const { normalised: said, sentences } = await read(input);
      assert.match(said, /^[가-힣 .,?!\n]*$/);
      for (const sentence of sentences)
        for (const { words } of sentence.clauses)
          for (const { spoken } of words) assert.match(spoken, /^[가-힣]+$/);
    }),
    { numRuns: 2_000 },
  );
});

test('markup and phonemes of the engine are text like any other', async () => {
  const { text: markup } = await normalise('<speak>가</speak>');
  assert.equal(markup, '스피크 가 스피크');
  const { text: phonemes } = await normalise('[[h@l@U]]');
  assert.equal(phonemes, '에이치 골뱅이 엘 골뱅이 유');
});
