/** The console's pages: keys, people, the audit log, and one's own login. */
import type { Page } from 'plugboard/sdk';

const group = 'Access';

export const pages: readonly Page[] = [
  {
    console: 1,
    id: 'keys',
    title: 'Keys',
    group,
    // Members make their own keys.
    scope: null,
    module: new URL('./console/keys.page.js', import.meta.url),
  },
  {
    console: 1,
    id: 'people',
    title: 'People',
    group,
    scope: 'manage',
    module: new URL('./console/people.page.js', import.meta.url),
  },
  {
    console: 1,
    id: 'sessions',
    title: 'Sessions',
    group,
    scope: null,
    module: new URL('./console/sessions.page.js', import.meta.url),
  },
  {
    console: 1,
    id: 'audit',
    title: 'Audit',
    group,
    scope: 'manage',
    module: new URL('./console/audit.page.js', import.meta.url),
  },
];
