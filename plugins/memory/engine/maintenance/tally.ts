/** Running totals of a summarizing, as returned and stored with the job. */
import type { Summarized } from './summarized.js';
import type { Refusal } from './summary-gate.js';
import type { Fold, SummaryPlan } from './summary-plan.js';

export type Totals = Omit<Summarized, 'dryRun' | 'plans'>;

/** Refusals shown. */
const SHOWN = 20;

export class Tally {
  #totals: Totals;

  /** `before`: totals before a crash. */
  constructor(before: Totals = { candidates: 0, tokensSaved: 0 }) {
    this.#totals = before;
  }

  get totals(): Totals {
    return this.#totals;
  }

  done(plans: readonly (SummaryPlan | Fold)[]): void {
    let { candidates, tokensSaved } = this.#totals;
    for (const plan of plans) {
      candidates += plan.originals.length;
      tokensSaved += savedBy(plan);
    }
    this.#totals = { ...this.#totals, candidates, tokensSaved };
  }

  refused(all: readonly Refusal[]): void {
    if (all.length === 0) return;
    const { refused = 0, refusals = [] } = this.#totals;
    const shown = all.map(({ original: { _id: id, key }, reason }) => ({ id, key, reason }));
    this.#totals = {
      ...this.#totals,
      refused: refused + all.length,
      refusals: [...refusals, ...shown].slice(0, SHOWN),
    };
  }
}

function savedBy(plan: SummaryPlan | Fold): number {
  return 'kept' in plan
    ? plan.originals.reduce((sum, { tokens }) => sum + tokens, 0)
    : plan.tokensBefore - plan.tokensAfter;
}
