/** A call that an upstream serves, from the begin of its answer to its end. */
import type { ServiceError } from 'plugboard/sdk';
import type { Answered } from '../estimate/estimator.js';
import type { Sound } from '../money/cost.js';
import type { TokenUsage } from '../usage/tokens.js';
import type { AttemptFailure } from './failure.js';

export interface CallOutcome {
  readonly tokens: TokenUsage;
  /** As far as it came; null for answers without tokens. */
  readonly answer: Answered | null;
  /** Of the input, what was sound. */
  readonly sound?: Sound;
  /** The model that the upstream says it served. */
  readonly servedModel: string | null;
  /** Null when the call ended well. */
  readonly failure: AttemptFailure | null;
  /** With a failure: the answer was complete all the same, and so are its tokens. */
  readonly isWhole?: boolean;
}

export interface ServedCall<T> {
  readonly answer: T;
  /** The upstream's name. */
  readonly upstream: string;
  /** What it speaks. */
  readonly dialect: string;
  /**
   * The answer has ended: lets the upstream go and records the usage. Must be called once. Answers what the call cost,
   * in US dollars; null where that is not known, or not yet.
   */
  end(outcome: CallOutcome): number | null;
  /** How the client hears of a failure after the answer began. */
  describe(failure: AttemptFailure): ServiceError;
}
