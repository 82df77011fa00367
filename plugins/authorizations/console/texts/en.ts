export const en = {
  tokens: 'Tokens',
  tokensSummary: 'What users gave to programs in their name. The text of a token is never shown here.',
  token: 'Token',
  user: 'User',
  userGone: (id: number) => `deleted user ${id}`,
  app: 'Application',
  byHand: 'made by hand',
  scopes: 'Scopes',
  created: 'Created',
  filterUser: 'Login, exactly',
  filterApp: 'Client id, exactly',
  revoke: 'Revoke',
  revokeOne: (name: string) => `Revoke ${name}`,
  revokeQuestion: (name: string) => `Revoke the token "${name}"?`,
  revokeHint: 'Programs that use it are refused at once. This cannot be undone.',
  tokenRevoked: 'The token is revoked',
  noTokens: 'No token yet',
  noTokensHint:
    'Users make tokens with their login and password (POST /authorizations), or by allowing an application in their browser.',
};
export type TokensTexts = typeof en;
