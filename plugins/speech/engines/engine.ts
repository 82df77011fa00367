/** Turns a sentence into sound. Every engine runs in another process, so that whatever it does ends as an error. */
import type { SpokenSentence } from '../reading/reading.js';
import type { Voice } from '../voices/voices.js';

export interface Utterance {
  readonly sentence: SpokenSentence;
  readonly voice: Voice;
  /** 0.25 to 4. */
  readonly speed: number;
  /** How to say it, for engines that take instructions. */
  readonly instructions?: string;
}

export interface Speech {
  /** In order. An engine that speaks clauses separately leaves the pauses between them to the caller. */
  readonly parts: readonly SpeechPart[];
  readonly sampleRate: number;
}

export interface SpeechPart {
  /** Mono. */
  readonly pcm: Int16Array;
  /** The start of each phoneme, in milliseconds of the part; empty if unknown. */
  readonly timing: readonly PhonemeTime[];
  /** The start of each word; empty if unknown. */
  readonly words: readonly number[];
}

export interface PhonemeTime {
  readonly phoneme: string;
  readonly at: number;
}

export interface Engine {
  readonly name: string;
  /** Sentences of a call that are requested at a time. */
  readonly parallel: number;
  /** The bound on a call's duration: `factor` times the estimate, plus `seconds`. */
  readonly margin: { readonly factor: number; readonly seconds: number };
  /** Throws `EngineError`. An aborted `signal` rejects with its reason at once. */
  speak(utterance: Utterance, signal: AbortSignal): Promise<Speech>;
  close(): Promise<void>;
}

export type EngineFailure =
  /** The engine's optional package is missing. */
  | 'not_installed'
  /** It crashed, refused the sentence, or sent something other than audio. */
  | 'failed'
  /** It did not answer in time. */
  | 'timeout'
  /** It is overloaded; `retryAfter` says when to come back. */
  | 'busy'
  /** It rejects this text, voice or speed. */
  | 'refused'
  /** It rejects the config's key. */
  | 'unauthorized';

export class EngineError extends Error {
  override readonly name = 'EngineError';
  readonly failure: EngineFailure;
  /** As the engine sent it: seconds, or an HTTP date. */
  readonly retryAfter: string | undefined;

  constructor(
    failure: EngineFailure,
    message: string,
    { retryAfter, ...options }: ErrorOptions & { readonly retryAfter?: string } = {},
  ) {
    super(message, options);
    this.failure = failure;
    this.retryAfter = retryAfter;
  }
}
