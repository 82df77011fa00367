/** A reading to one file of sound, by the first engine that manages. */
import type { Pauses } from '../audio/pauses.js';
import type { Encoder, Format } from '../audio/encoder.js';
import { Mp3Encoders } from '../audio/mp3.js';
import { wavEncoder } from '../audio/wav.js';
import { EngineError, type Engine } from '../engines/engine.js';
import type { Clip } from './clip-cache.js';
import { speakSentences, type SentencesJob } from './sentences.js';

export interface SpeechJob extends SentencesJob {
  readonly format: Format;
}

/** Syllables of about 15 s of sound, from which on other threads encode it. */
const LONG = 90;

export class Speaker {
  readonly #engines: readonly Engine[];
  readonly #mp3 = new Mp3Encoders();
  readonly #pauses: Pauses;
  readonly #onFailure: (engine: string, error: EngineError) => void;

  /** `onFailure` hears of an engine that failed. */
  constructor(
    engines: readonly Engine[],
    pauses: Pauses,
    onFailure: (engine: string, error: EngineError) => void,
  ) {
    this.#engines = engines;
    this.#pauses = pauses;
    this.#onFailure = onFailure;
  }

  /** Throws the `EngineError` of the last engine, or the reason of the aborted signal. */
  async speak(job: SpeechJob, signal: AbortSignal): Promise<Clip> {
    let failure = new EngineError('failed', 'there is no engine');
    for (const engine of this.#engines) {
      try {
        return await this.#speakBy(engine, job, signal);
      } catch (error) {
        if (!(error instanceof EngineError)) throw error;
        this.#onFailure(engine.name, error);
        failure = error;
      }
    }
    throw failure;
  }

  async #speakBy(engine: Engine, job: SpeechJob, signal: AbortSignal): Promise<Clip> {
    let encoder: Encoder | undefined;
    let rate = 0;
    let samples = 0;
    try {
      for await (const { pcm, sampleRate } of speakSentences(engine, job, this.#pauses, signal)) {
        encoder ??= await this.#open(job.format, (rate = sampleRate), job.reading.syllables > LONG);
        await encoder.write(pcm);
        samples += pcm.length;
      }
      if (encoder === undefined) throw new EngineError('failed', `${engine.name} made no sound`);
      return { audio: await encoder.finish(), ms: Math.round((samples * 1_000) / rate) };
    } finally {
      encoder?.close();
    }
  }

  close(): Promise<void> {
    return this.#mp3.close();
  }

  #open(format: Format, sampleRate: number, isLong: boolean): Promise<Encoder> {
    return format === 'mp3' ? this.#mp3.open(sampleRate, isLong) : Promise.resolve(wavEncoder(sampleRate));
  }
}
