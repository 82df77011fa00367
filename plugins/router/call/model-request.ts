/** What is asked of a model, and by whom. */
import type { CallUse, Principal } from 'plugboard/sdk';
import type { Target } from '../catalog.js';
import type { CallTexts } from '../texts/recorded-texts.js';

/** Who calls, what for, and for how long. */
export interface CallContext {
  readonly caller: Principal;
  readonly purpose: string;
  /** Aborted when the caller leaves. */
  readonly gone: AbortSignal | undefined;
  /** The person it is for, as named by the caller. */
  readonly person?: string | null;
  readonly tags?: string | null;
  /** Headers for the upstream, names and values in turn. */
  readonly passed?: readonly string[];
  /** Where its texts are recorded. */
  readonly texts?: CallTexts | undefined;
  /** See `ModelCall`. */
  readonly metered?: ((use: CallUse) => void) | undefined;
}

/** What is asked of a model. */
export interface ModelRequest {
  readonly model: string;
  readonly stream: boolean;
  /** The most tokens that it wants back; undefined if it does not say. */
  readonly maxTokens: number | undefined;
  /** Of the body. */
  readonly characters: () => number;
  /** Of sound in the body, at most. */
  readonly seconds?: number | undefined;
  /** The body that a target is sent, once more: for an estimate of its tokens. */
  body(target: Target): string;
}
