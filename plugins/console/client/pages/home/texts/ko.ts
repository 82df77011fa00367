import type { HomeTexts } from './en.js';

export const ko: HomeTexts = {
  title: '홈',
  summary: '이 서버에서 실행 중인 것과 호출하는 방법입니다.',
  address: '주소',
  health: '상태',
  ready: '정상',
  notReady: '준비되지 않음',
  plugins: '플러그인',
  working: '작동 중',
  failing: '오류',
  leftOut: '제외됨',
  firstRequest: '첫 요청',
  firstRequestHint: 'PLUGBOARD_KEY에 API 키를 넣은 다음 실행하세요.',
  reference: '모든 요청',
};
