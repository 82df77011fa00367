/** The clients of `cases/`, more of them and for longer. */
import type { HostileCase } from '../case.js';
import { cases as few } from '../cases/clients.js';

const AT_ONCE = 60;
const SECONDS = 4;

export const cases: readonly HostileCase[] = few.map((each) => ({
  ...each,
  name: `${each.name}, many`,
  atOnce: each.path.includes('audio') ? 8 : AT_ONCE,
  // Whoever leaves at the first bytes does not stay longer.
  ...(each.client !== 'gone' && { patience: SECONDS * 1_000 }),
}));
