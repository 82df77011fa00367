/** How the last call of each model went, so that the status tells what happened and not what was configured. */
import type { ModelFailure } from './failure.js';

export interface Outcome {
  /** Null: the last call succeeded. */
  readonly failure: ModelFailure | null;
  /** Of the vectors of the last good embedding call. */
  readonly dimensions: number | null;
}

export class Outcomes {
  readonly #last = new Map<string, Outcome>();

  /** Undefined: the model was not called yet. */
  of(model: string): Outcome | undefined {
    return this.#last.get(model);
  }

  succeeded(model: string, dimensions: number | null = null): void {
    this.#last.set(model, { failure: null, dimensions });
  }

  failed(model: string, failure: ModelFailure): void {
    this.#last.set(model, { failure, dimensions: this.#last.get(model)?.dimensions ?? null });
  }
}
