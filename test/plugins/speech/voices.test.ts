import assert from 'node:assert/strict';
import { test } from 'node:test';
import { distance, VOICES } from '../../../plugins/speech/voices/voices.js';

const DOCUMENTED: Record<string, string> = {
  표준어:
    'sera, byungho, kanghyun, chanho, jungwoong, gen_f5, hyunwoo, seungjae, taehun, sangchul, sujin, soeun, dajung, jinsu, gen_m1, muyeol, gen_f2, yanghwi, gen_m2, dogyeong, gen_f3, gen_m3, haneul, eunyoung, taesik, jia, junghoon, manho, dongsu, woojin, kwangyul, dusik, jaehoon, bora, gen_f4, gen_m4, gen_f1, gen_m5, gen_f6, gen_m6, misuk, jeongyeon, mansik, hyeonseok, jieun, byeongtae, junghu, huibin, doyoon',
  경상도: 'junghwan, jongseok, dosik, minjae, woohyuk, jongbum, sanggu, junjae, jonggeun, kangbok',
  전라도: 'kwangbae, kwangsu, youngbae',
  평양: 'youngae, youngsil, okbyul, sunhee, jungok, kwangchul, myungsu, sungkuk, jungnam',
};

test('the table holds the documented ids, each in its dialect, in the documented order', () => {
  for (const [dialect, ids] of Object.entries(DOCUMENTED)) {
    const own = VOICES.filter((voice) => voice.dialect === dialect).map(({ id }) => id);
    assert.deepEqual(own, ids.split(', '));
  }
  assert.equal(VOICES.length, 71);
});

test('voices of one dialect lie at least a unit apart, and some are children or old', () => {
  let closest = { units: Infinity, pair: '' };
  for (const [at, one] of VOICES.entries())
    for (const other of VOICES.slice(at + 1)) {
      if (one.dialect !== other.dialect) continue;
      const units = distance(one, other);
      if (units < closest.units) closest = { units, pair: `${one.id} ${other.id}` };
    }
  assert.ok(closest.units >= 1, `${closest.pair}: ${closest.units}`);
  assert.deepEqual(new Set(VOICES.map(({ age }) => age)), new Set(['child', 'young', 'adult', 'old']));
});
