/** The pages of the console for those who ask: keys, people, what they did, and one's own login. */
import type { Page } from 'plugboard/sdk';

const group = 'Access';

export const pages: readonly Page[] = [
  {
    console: 1,
    id: 'keys',
    title: 'Keys',
    group,
    // Members make keys of their own.
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
