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

/**
 * The least that OpenAI-shaped upstreams take for a model; undefined where it is not known to think, or to think less:
 * what does not think answers 400 to any effort. Before gpt-5.1 there is no `none`. The first that fits holds.
 */
const LEAST: readonly (readonly [RegExp, Effort | undefined])[] = [
  [/o1-(?:mini|preview)/, undefined],
  [/gpt-oss|(?:^|\/)o[1-9]/, 'low'],
  [/instruct|coder/, undefined],
  [/qwen-?3|glm-(?:4\.[5-9]|5)|deepseek-v(?:3\.[1-9]|4)|gemini-2\.5-flash/, 'none'],
];
const LEAST_OF_GPT_5: typeof LEAST = [
  [/-(?:pro|chat)/, undefined],
  [/-codex/, 'low'],
  [/^gpt-5\.[1-9]/, 'none'],
  [/^gpt-5/, 'minimal'],
];

/** As a model of an OpenAI-shaped upstream takes it: a caller who wants no thinking gets the least there is. */
export function effortFor(thinking: Thinking, model: string): Effort | undefined {
  const effort = effortOf(thinking);
  if (effort !== 'none') return effort;
  const name = model.toLowerCase();
  const at = name.indexOf('gpt-5');
  const [list, text] = at < 0 ? [LEAST, name] : [LEAST_OF_GPT_5, name.slice(at)];
  return list.find(([names]) => names.test(text))?.[1];
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
