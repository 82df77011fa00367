/** The console page: the tokens of all users. */
import type { Page } from 'plugboard/sdk';

export const pages: readonly Page[] = [
  {
    console: 1,
    id: 'tokens',
    title: 'Tokens',
    group: 'Access',
    scope: 'manage',
    module: new URL('./console/tokens.page.js', import.meta.url),
  },
];
