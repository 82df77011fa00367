import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadEnglish, pronounced } from '../../../plugins/speech/normalise/latin/english.js';
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

test('numbers that name are told from those that count: races, floors, models, pages', async () => {
  const texts: Record<string, string> = {
    '9초 58이다. 47초36, 10초 07로 뛰었다': '구초 오팔이다. 사십칠초 삼육, 십초 공칠로 뛰었다',
    '10초 20명, 3초 20cm, 5초 15%, 3분 59초':
      '십초 스무 명, 삼초 이십 센티미터, 오초 십오 퍼센트, 삼분 오십구초',
    'B1층과 지하 B2층, B3~B5층, B1F': '지하 일층과 지하 이층, 지하 삼층에서 지하 오층, 지하 일층',
    'B5용지, 비타민 B1, B2B': '비파이브용지, 비타민 비원, 비투비',
    'RTX 4090은, RTX 4090, BMW 520.': '알티엑스 사공구공은, 알티엑스 사공구공, 비엠더블유 오이공.',
    'CES 2024, PC 1250대, ISO 9001, LG 3456억 원':
      '시이에스 이천이십사, 피시 천이백오십 대, 아이에스오 구천일, 엘지 삼천사백오십육억 원',
    'p. 35, (pp. 35-40), p.1,024에': '페이지 삼십오, 페이지 삼십오에서 사십, 페이지 천이십사에',
  };
  for (const [text, expected] of Object.entries(texts)) assert.equal((await normalise(text)).text, expected);
});

test('3F is a floor, 100F of a capacitor is not; parts and aircraft are read digit by digit', async () => {
  const texts: Record<string, string> = {
    '매장은 2F에, 3F와 4F를': '매장은 이층에, 삼층과 사층을',
    '100F 커패시터, 용량 5F, 0.5F': '백 패럿 커패시터, 용량 오 패럿, 영 점 오 패럿',
    'i7-13700K를 샀다': '아이칠 일삼칠공공케이를 샀다',
    '엔비디아 4090, 보잉 747 여객기, 보잉 747대': '엔비디아 사공구공, 보잉 칠사칠 여객기, 보잉 칠백사십칠 대',
  };
  for (const [text, expected] of Object.entries(texts)) assert.equal((await normalise(text)).text, expected);
});

test('a particle fits what is read before it', async () => {
  const texts: Record<string, string> = {
    '5kg를 들고 5m을 갔다': '오 킬로그램을 들고 오 미터를 갔다',
    '3는 1와 2을 더한 값': '삼은 일과 이를 더한 값',
    '10kg로, 100ml로, 30%으로, 15℃로': '십 킬로그램으로, 백 밀리리터로, 삼십 퍼센트로, 섭씨 십오 도로',
    '을지로 3가 제2과, 세종 3로, 값이 2가 넘다': '을지로 삼가 제이과, 세종 삼로, 값이 이가 넘다',
    한국은행는: '한국은행는',
  };
  for (const [text, expected] of Object.entries(texts)) assert.equal((await normalise(text)).text, expected);
  const { text, changes, places } = await normalise('5kg로');
  assert.equal(places.length, text.length);
  assert.deepEqual(changes.at(-1), { rule: 'particle', from: '로', to: '으로' });
});

test('the sense of a number is found in the words around it', async () => {
  const texts: Record<string, string> = {
    '자동차 10대가 3대 가족을 태웠다.': '자동차 열 대가 삼대 가족을 태웠다.',
    '3번 출구로 3번 나갔다.': '삼 번 출구로 세 번 나갔다.',
    '119명이 119에 신고했다.': '백십구 명이 일일구에 신고했다.',
    '3분이 오셔서 5분 기다렸다.': '세 분이 오셔서 오분 기다렸다.',
    '美 대통령의 訪美 일정, 金 대표와 金메달': '미국 대통령의 방미 일정, 김 대표와 금메달',
    '(H2SO4)와 Ca(OH)2, B2B': '에이치투에스오포와 시에이오에이치투 비투비',
    '전반 38분 1-0, 6-4, 7-5로 이겼다': '전반 삼십팔분 일 대 영, 육 대 사, 칠 대 오로 이겼다',
    '7.1~7.5에 7.1에서 7.5로 올랐다.': '칠월 일일부터 칠월 오일에 칠 점 일에서 칠 점 오로 올랐다.',
  };
  for (const [text, expected] of Object.entries(texts))
    assert.equal(heard((await normalise(text)).text), heard(expected), text);
});

test('words of English are read as a pronouncing dictionary says them, where no list has their custom', async () => {
  for (const [word, expected] of Object.entries({
    climate: '클라이멋',
    million: '밀리언',
    battery: '배터리',
    strawberry: '스트로베리',
    wonderful: '원더풀',
    guards: '가즈',
    flowering: '플라워링',
    squeezing: '스퀴징',
  })) {
    const { text } = await normalise(word);
    assert.equal(text, expected);
  }
});

test('each of the 135,000 words of the dictionary comes out as Hangul and nothing else', async () => {
  await loadEnglish();
  const { dictionary } = await import('cmu-pronouncing-dictionary');
  const wrong = Object.keys(dictionary).filter((word) => !/^[가-힣]+$/.test(pronounced(word) ?? ''));
  assert.ok(Object.keys(dictionary).length > 100_000);
  assert.deepEqual(wrong, []);
});

test('words that no dictionary holds are read by their letters, not letter by letter', async () => {
  for (const [word, expected] of Object.entries({
    lantern: '랜턴',
    blanter: '블랜터',
    grundle: '그런들',
    shampo: '섐포',
  })) {
    const { text } = await normalise(word);
    assert.equal(text, expected);
  }
});
