import type { HomeTexts } from './en.js';

export const ko: HomeTexts = {
  title: '홈',
  summary: '이 서버에서 실행 중인 것과 호출하는 방법입니다.',
  address: '주소',
  health: '상태',
  ready: '정상',
  notReady: '준비되지 않음',
  degraded: '일부 기능이 빠져 있습니다',
  working: '작동 중',
  failing: '작동하지 않음',
  leftOut: '시작할 때 제외됨',
  nextSteps: '다음 단계',
  steps: {
    key: {
      title: '애플리케이션용 키 만들기',
      hint: '처음 만들어진 키로는 무엇이든 할 수 있습니다. 애플리케이션에는 필요한 것만 여는 키를 주세요.',
      action: '키 만들기',
    },
    model: {
      title: '모델 연결하기',
      hint: '모델 공급사나 이 컴퓨터의 모델 서버를 업스트림으로 추가하세요. 설정 파일에 적어도 됩니다.',
      action: '업스트림 추가',
    },
  },
  done: '완료',
  open: '할 일',
  firstRequest: '첫 요청',
  firstRequestHint: 'PLUGBOARD_KEY에 API 키를 넣은 다음 실행하세요.',
  reference: '모든 요청',
  pages: '페이지',
};
