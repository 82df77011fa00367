import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normalise } from '../../../plugins/speech/normalise/normalise.js';
import cases from './readings.cases.json' with { type: 'json' };

/** Spaces and marks are not heard as other words. */
const heard = (text: string): string => text.replaceAll(/[ .,!?\n]/g, '');

/** Each case lists all readings that the norms or usage accept. */
test('at least 98 of 100 texts with numbers, dates, units, Chinese characters and English are read as people read them', async () => {
  const wrong: object[] = [];
  for (const { text, read, kind } of cases) {
    const said = (await normalise(text)).text;
    if (!read.some((accepted) => heard(accepted) === heard(said))) wrong.push({ text, said, read, kind });
  }
  const score = (100 * (cases.length - wrong.length)) / cases.length;
  assert.ok(cases.length >= 1_000);
  assert.ok(score >= 98, `${score.toFixed(1)} of 100: ${JSON.stringify(wrong, null, 1)}`);
});

test('the sense of a number is found in the words around it', async () => {
  const texts: Record<string, string> = {
    '자동차 10대가 3대 가족을 태웠다.': '자동차 열 대가 삼대 가족을 태웠다.',
    '3번 출구로 3번 나갔다.': '삼 번 출구로 세 번 나갔다.',
    '119명이 119에 신고했다.': '백십구 명이 일일구에 신고했다.',
    '3분이 오셔서 5분 기다렸다.': '세 분이 오셔서 오분 기다렸다.',
    '美 대통령의 訪美 일정, 金 대표와 金메달': '미국 대통령의 방미 일정, 김 대표와 금메달',
    '7.1~7.5에 7.1에서 7.5로 올랐다.': '칠월 일일부터 칠월 오일에 칠 점 일에서 칠 점 오로 올랐다.',
  };
  for (const [text, expected] of Object.entries(texts))
    assert.equal(heard((await normalise(text)).text), heard(expected), text);
});

test('words of English that no list holds are read by their sounds, not letter by letter', async () => {
  for (const [word, expected] of Object.entries({
    lantern: '랜턴',
    trumpet: '트럼펫',
    velvet: '벨벳',
    shampoo: '샴푸',
  })) {
    const { text } = await normalise(word);
    assert.equal(text, expected);
  }
});
