/** The console page: callers near a limit. */
import type { Page } from 'plugboard/sdk';

export const pages: readonly Page[] = [
  {
    console: 1,
    id: 'limits',
    title: 'Limits',
    group: 'Access',
    scope: 'manage',
    module: new URL('./console/limits.page.js', import.meta.url),
  },
];
