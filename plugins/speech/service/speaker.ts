/** A reading to one file of sound, by the first engine that manages. */
import { level } from '../audio/level.js';
import type { Encoder, Format } from '../audio/encoder.js';
import { Mp3Encoders } from '../audio/mp3.js';
import { wavEncoder } from '../audio/wav.js';
import { EngineError, type Engine } from '../engines/engine.js';
import type { Reading } from '../reading/reading.js';
import type { Voice } from '../voices/voices.js';
import type { Clip } from './clip-cache.js';
import { inOrder } from './in-order.js';

export interface SpeechJob {
  readonly reading: Reading;
  readonly voice: Voice;
  readonly speed: number;
  readonly format: Format;
}

/** Syllables of about 15 s of sound, from which on other threads encode it. */
const LONG = 90;

export class Speaker {
  readonly #engines: readonly Engine[];
  readonly #mp3 = new Mp3Encoders();
  readonly #onFailure: (engine: string, error: EngineError) => void;

  /** `onFailure` hears of an engine that failed. */
  constructor(engines: readonly Engine[], onFailure: (engine: string, error: EngineError) => void) {
    this.#engines = engines;
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

  async #speakBy(
    engine: Engine,
    { reading, voice, speed, format }: SpeechJob,
    signal: AbortSignal,
  ): Promise<Clip> {
    const spoken = inOrder(reading.sentences, { parallel: engine.parallel, signal }, (sentence, until) =>
      engine.speak({ sentence, voice, speed }, until),
    );
    let encoder: Encoder | undefined;
    let rate = 0;
    let samples = 0;
    try {
      for await (const { pcm, sampleRate } of spoken) {
        encoder ??= await this.#open(format, (rate = sampleRate), reading.syllables > LONG);
        if (sampleRate !== rate)
          throw new EngineError(
            'failed',
            `${engine.name} changed its sample rate from ${rate} to ${sampleRate}`,
          );
        await level(pcm);
        await encoder.write(pcm);
        samples += pcm.length;
        signal.throwIfAborted();
      }
      if (encoder === undefined || samples === 0)
        throw new EngineError('failed', `${engine.name} made no sound`);
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
