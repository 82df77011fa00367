import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pronounce, pronouncePhrase } from '../../../plugins/speech/pronunciation/pronounce.js';
import cases from './pronunciation.cases.json' with { type: 'json' };

/** Examples of the published rules (표준 발음법, notification 2017-13), each with its article; several words are one breath. */
test('at least 99 of 100 examples of the rules of standard pronunciation come out as published', () => {
  const wrong = cases
    .map(({ written, spoken, article }) => ({ written, spoken, article, said: saidTogether(written) }))
    .filter(({ spoken, said }) => !spoken.includes(said));
  const score = (100 * (cases.length - wrong.length)) / cases.length;
  assert.ok(cases.length >= 300);
  assert.ok(score >= 99, `${score.toFixed(1)} of 100: ${JSON.stringify(wrong)}`);
});

function saidTogether(text: string): string {
  return pronouncePhrase(text.split(' '))
    .map(({ spoken }) => spoken)
    .join('');
}

test('words that no example shows follow the same rules', () => {
  const words: Record<string, string> = {
    읽습니다: '익씀니다',
    끝났습니다: '끈낟씀니다',
    못하겠는데요: '모타겐는데요',
    앉았다가: '안잗따가',
    붙여놓은: '부처노은',
    흙냄새: '흥냄새',
    앞문: '암문',
    독립문: '동님문',
    법률: '범뉼',
    음운론: '으문논',
    한라산: '할라산',
    백합: '배캅',
    축하합니다: '추카함니다',
    볶음밥: '보끔밥',
    풀잎이: '풀리피',
    강남역에서: '강남녀게서',
    할수록: '할쑤록',
    괜찮습니다: '괜찬씀니다',
  };
  const said = Object.fromEntries(Object.keys(words).map((word) => [word, pronounce(word).spoken]));
  assert.deepEqual(said, words);
});

test('each change names its article', () => {
  assert.deepEqual(pronounce('꽃잎').changes, [
    { article: 29, from: '잎', to: '닢' },
    { article: 9, from: '꽃닢', to: '꼰닢' },
    { article: 18, from: '꽃닢', to: '꼰닢' },
    { article: 9, from: 'ㅍ', to: 'ㅂ' },
  ]);
  assert.deepEqual(pronounce('나무').changes, []);
});

test('a word in -ㄹ tenses the dependent noun after it, and no other word', () => {
  const said = (text: string): string =>
    pronouncePhrase(text.split(' '))
      .map(({ spoken }) => spoken)
      .join(' ');
  assert.equal(said('할 것을'), '할 꺼슬');
  assert.equal(said('갈 데가'), '갈 떼가');
  assert.equal(said('먹을 수 있다'), '머글 쑤 읻따');
  assert.equal(said('오늘 수업'), '오늘 수업');
  assert.equal(said('물 수건'), '물 수건');
  assert.equal(said('만날 사람과 갈 곳'), '만날 싸람과 갈 꼳');
  assert.equal(said('서울 사람'), '서울 사람');
});

test('words of one breath sound as one: they link, and ㅎ and ㄴ change the stop before them', () => {
  for (const [text, spoken] of Object.entries({
    '닭 앞에': '다가페',
    '낮 한때': '나탄때',
    '책 넣는다': '챙넌는다',
    '옷을 입다': '오슬입따',
    '못 가다': '몯까다',
  }))
    assert.equal(saidTogether(text), spoken);
});

test('what is not Hangul stays as it is', () => {
  assert.equal(pronounce('a값b').spoken, 'a갑b');
  assert.equal(pronounce('').spoken, '');
});
