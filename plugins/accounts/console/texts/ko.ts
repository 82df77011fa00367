import type { AccountTexts } from './en.js';

export const ko: AccountTexts = {
  accounts: '계정',
  accountsSummary: '고객, 판매자, 수취인과 각각 더 필요한 정보입니다.',
  account: '계정',
  configurations: '구성',
  created: '만든 때',
  state: '상태',
  open: '열림',
  closed: '닫힘',
  search: '전체 이메일 주소',
  none: '아직 계정이 없습니다',
  noneHint: '계정 API의 클라이언트가 만듭니다. 아래 요청으로 하나를 만들 수 있습니다.',
  requirements: '더 필요한 정보',
  noRequirements: '없습니다. 요구된 정보를 모두 갖추었습니다.',
  json: 'API가 답하는 계정',
  awaiting: (who) => `${who} 대기`,
  cancel: '닫기',
};
