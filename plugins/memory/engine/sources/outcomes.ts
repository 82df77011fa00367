/** The outcome of each model's last call, so that the status reports what happened, not what is configured. */
import type { ModelFailure } from './failure.js';

export interface Outcome {
  /** Null: the last call succeeded. */
  readonly failure: ModelFailure | null;
  /** Of the last successful embedding call. */
  readonly dimensions: number | null;
}

export class Outcomes {
  readonly #last = new Map<string, Outcome>();

  /** Undefined: the model has not been called yet. */
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
