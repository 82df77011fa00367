/** How much a model is to think: some vendors count tokens, others have words for it. */
import { EFFORTS, type Effort, type Thinking } from './neutral.js';
import { Unreadable } from './reading.js';

export function readEffort(effort: string, at: string): Effort {
  const known = EFFORTS.find((name) => name === effort);
  if (known === undefined) throw new Unreadable(at, `one of ${EFFORTS.join(', ')}`);
  return known;
}

/** Tokens up to which a budget is of this effort. */
const EFFORT_UP_TO: readonly (readonly [number, Effort])[] = [
  [0, 'none'],
  [1_024, 'minimal'],
  [4_096, 'low'],
  [16_384, 'medium'],
];

export function effortOf({ effort, budget }: Thinking): Effort | undefined {
  if (effort !== undefined || budget === undefined) return effort;
  return EFFORT_UP_TO.find(([most]) => budget <= most)?.[1] ?? 'high';
}

const BUDGETS: Readonly<Record<Effort, number>> = {
  none: 0,
  minimal: 1_024,
  low: 4_096,
  medium: 16_384,
  high: 24_576,
  xhigh: 24_576,
  max: 24_576,
};

export function budgetOf({ effort, budget }: Thinking): number | undefined {
  return budget ?? (effort === undefined ? undefined : BUDGETS[effort]);
}
