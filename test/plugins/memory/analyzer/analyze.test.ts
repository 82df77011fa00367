import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { analyze } from '../../../../plugins/memory/analyzer/analyze.js';

test('words are lower-cased, stemmed, and rid of stop words', () => {
  assert.deepEqual(analyze('The Harbours were CLOSING at seven'), ['harbour', 'close', 'seven']);
});

test('possessives and contractions are cut, and a name with an apostrophe is one word', () => {
  assert.deepEqual(analyze("Anna's ferry; Anna’s ferry. I don't know O'Brien"), [
    ...['anna', 'ferri', 'anna', 'ferri'],
    ...['know', 'obrien'],
  ]);
});

test('accents, full-width letters and letter case do not keep a word from being found', () => {
  assert.deepEqual(analyze('Café'), analyze('cafe\u0301'));
  assert.deepEqual(analyze('CAFE'), analyze('café'));
  assert.deepEqual(analyze('Ｈａｒｂｏｕｒ'), analyze('harbour'));
});

test('Hangul, Han and Kana become character bigrams, and a lone character itself', () => {
  assert.deepEqual(analyze('서울에서'), ['서울', '울에', '에서']);
  assert.deepEqual(analyze('東京タワー'), ['東京', '京タ', 'タワ', 'ワー']);
  assert.deepEqual(analyze('집 7 水'), ['집', '7', '水']);
});

test('a Korean noun of one syllable is a term of its own beside its particle', () => {
  for (const text of ['집', '집은', '집에서', '집까지는']) assert.ok(analyze(text).includes('집'), text);
  assert.deepEqual(analyze('서울은'), ['서울', '울은']);
});

test('a run of mixed scripts is cut where words and bigrams meet', () => {
  assert.deepEqual(analyze('KTX로 부산'), ['ktx', '로', '부산']);
});

test('words of other alphabets stay whole', () => {
  assert.deepEqual(analyze('Москва γαλάζιο'), ['москва', 'γαλάζιο']);
});

test('characters beyond the basic plane are not torn apart', () => {
  assert.deepEqual(analyze('𠮷野家'), ['𠮷野', '野家']);
});

test('any text has an analysis, and its terms hold no white space', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      for (const term of analyze(text)) assert.match(term, /^\S+$/u);
    }),
    // a combining mark without a letter had an empty term
    { examples: [['\u0f71']] },
  );
});
