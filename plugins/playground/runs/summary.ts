/** The answers of a run, aggregated by version and model. */
import type { RunAnswer, Summary } from './schema.js';

/** Best first: most passed, then fewest failures, then cheapest. */
export function summarize(answers: readonly RunAnswer[]): Summary[] {
  const groups = new Map<string, RunAnswer[]>();
  for (const answer of answers) {
    const key = `${answer.version} ${answer.model}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [answer]);
    else group.push(answer);
  }
  return [...groups.values()].map(summaryOf).toSorted(compare);
}

/** Null if any of them is unknown. */
export function sumOfCosts(costs: readonly (number | null)[]): number | null {
  let sum = 0;
  for (const cost of costs) {
    if (cost === null) return null;
    sum += cost;
  }
  return sum;
}

function summaryOf(answers: readonly RunAnswer[]): Summary {
  const answered = answers.filter(({ error }) => error === null);
  const sum = (of: (answer: RunAnswer) => number): number =>
    answers.reduce((total, one) => total + of(one), 0);
  const [{ version, model }] = answers as [RunAnswer];
  return {
    version,
    model,
    answers: answered.length,
    failed: answers.length - answered.length,
    checked: sum(({ passed }) => (passed === null ? 0 : 1)),
    passed: sum(({ passed }) => (passed === true ? 1 : 0)),
    ms:
      answered.length === 0
        ? null
        : Math.round(answered.reduce((total, { ms }) => total + ms, 0) / answered.length),
    tokens_in: sum(({ tokens_in: tokens }) => tokens),
    tokens_out: sum(({ tokens_out: tokens }) => tokens),
    cost: sumOfCosts(answers.map(({ cost }) => cost)),
  };
}

function compare(a: Summary, b: Summary): number {
  return (
    b.passed - a.passed ||
    a.failed - b.failed ||
    (a.cost ?? Infinity) - (b.cost ?? Infinity) ||
    (a.ms ?? Infinity) - (b.ms ?? Infinity) ||
    0
  );
}
