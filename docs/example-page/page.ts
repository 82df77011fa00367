/** The page that the plugin brings to the console. */
import type { Page } from 'plugboard/sdk';

export const page: Page = {
  console: 1,
  id: 'guestbook',
  title: 'Guestbook',
  group: 'Services',
  scope: 'guestbook:write',
  // Nothing builds it, so it is not in dist.
  module: new URL('../page/guestbook.js', import.meta.url),
};
