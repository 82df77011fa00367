import type { TokensTexts } from './en.js';

export const ko: TokensTexts = {
  tokens: '토큰',
  tokensSummary: '사용자가 자기 이름으로 프로그램에 발급한 토큰입니다. 토큰 값은 여기에 표시되지 않습니다.',
  token: '토큰',
  user: '사용자',
  userGone: (id) => `삭제된 사용자 ${id}`,
  app: '애플리케이션',
  byHand: '직접 만듦',
  scopes: '범위',
  created: '생성',
  filterUser: '로그인(정확히)',
  filterApp: '클라이언트 ID(정확히)',
  revoke: '폐기',
  revokeOne: (name) => `${name} 폐기`,
  revokeQuestion: (name) => `토큰 "${name}"을(를) 폐기할까요?`,
  revokeHint: '이 토큰을 쓰는 프로그램은 즉시 거부됩니다. 되돌릴 수 없습니다.',
  tokenRevoked: '토큰을 폐기했습니다',
  noTokens: '아직 토큰이 없습니다',
  noTokensHint:
    '사용자는 로그인과 비밀번호로(POST /authorizations), 또는 브라우저에서 애플리케이션을 허용하여 토큰을 만듭니다.',
};
