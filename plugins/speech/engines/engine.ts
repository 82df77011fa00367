/** What turns a sentence into sound. Every engine runs in another process, so that whatever it does ends as an error. */
import type { SpokenSentence } from '../reading/reading.js';
import type { Voice } from '../voices/voices.js';

export interface Utterance {
  readonly sentence: SpokenSentence;
  readonly voice: Voice;
  /** 0.25 to 4. */
  readonly speed: number;
  /** How it is to be said, for engines that take such words. */
  readonly instructions?: string;
}

export interface Speech {
  /** One after another. An engine that speaks clauses on their own leaves the pauses between them to the caller. */
  readonly parts: readonly SpeechPart[];
  readonly sampleRate: number;
}

export interface SpeechPart {
  /** Mono. */
  readonly pcm: Int16Array;
  /** When each phoneme begins, in milliseconds of the part; empty where the engine does not say. */
  readonly timing: readonly PhonemeTime[];
  /** When each word begins; empty where the engine does not say. */
  readonly words: readonly number[];
}

export interface PhonemeTime {
  readonly phoneme: string;
  readonly at: number;
}

export interface Engine {
  readonly name: string;
  /** How many sentences of a call are asked for at a time. */
  readonly parallel: number;
  /** How much longer than estimated a call may last: `factor` times the estimate, and `seconds`. */
  readonly margin: { readonly factor: number; readonly seconds: number };
  /** Throws `EngineError`. An aborted `signal` rejects with its reason at once. */
  speak(utterance: Utterance, signal: AbortSignal): Promise<Speech>;
  close(): Promise<void>;
}

export type EngineFailure =
  /** The optional package of the engine is missing. */
  | 'not_installed'
  /** It crashed, refused the sentence, or sent something that is not audio. */
  | 'failed'
  /** It did not answer in time. */
  | 'timeout'
  /** It has too much to do; `retryAfter` says when to come back. */
  | 'busy'
  /** It does not take this text, voice or speed. */
  | 'refused'
  /** It does not take the key of the config. */
  | 'unauthorized';

export class EngineError extends Error {
  override readonly name = 'EngineError';
  readonly failure: EngineFailure;
  /** As the engine said it: seconds, or a date of HTTP. */
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
