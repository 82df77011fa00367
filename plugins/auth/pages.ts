/** The pages of the console for keys and people. */
import type { Page } from 'plugboard/sdk';

const common = { console: 1, group: 'Access', scope: 'manage' } as const;

export const pages: readonly Page[] = [
  { ...common, id: 'keys', title: 'Keys', module: new URL('./console/keys.page.js', import.meta.url) },
];
