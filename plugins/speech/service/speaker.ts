/** A reading to sound in a format: one file from the first engine that succeeds, or piece by piece. */
import type { Encoder, Format } from '../audio/encoder.js';
import { Encoders, rateOf } from '../audio/encoders.js';
import type { Pauses } from '../audio/pauses.js';
import { resample } from '../audio/resample.js';
import { EngineError, type Engine } from '../engines/engine.js';
import type { Clip } from './clip-cache.js';
import { speakSentences, type SentencesJob, type SpokenSound } from './sentences.js';

export interface SpeechJob extends SentencesJob {
  readonly format: Format;
}

/** A sentence, or what the encoder kept until the end. */
export interface SpokenPiece {
  readonly bytes: Buffer;
  /** Milliseconds of sound at the end of this piece. */
  readonly ms: number;
  /** Where the sentence begins, in milliseconds. */
  readonly start: number;
  readonly sound?: SpokenSound;
}

/** Syllables of about 15 s of sound; longer texts are encoded on other threads. */
const LONG = 90;

export class Speaker {
  readonly #engines: readonly Engine[];
  readonly #encoders = new Encoders();
  readonly #pauses: Pauses;
  readonly #onFailure: (engine: string, error: EngineError) => void;

  /** `onFailure` is called with an engine that failed. */
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
    let failure = new EngineError('not_installed', 'there is no engine');
    for (const engine of this.#engines) {
      try {
        const parts: Buffer[] = [];
        let ms = 0;
        for await (const piece of this.#pieces(engine, job, false, signal)) {
          parts.push(piece.bytes);
          ({ ms } = piece);
        }
        return { audio: Buffer.concat(parts), ms };
      } catch (error) {
        failure = this.#failed(engine, error);
      }
    }
    throw failure;
  }

  /** Like `speak`; after the first sentence no other engine takes over. */
  async *stream(job: SpeechJob, signal: AbortSignal): AsyncGenerator<SpokenPiece> {
    let failure = new EngineError('not_installed', 'there is no engine');
    for (const engine of this.#engines) {
      let began = false;
      try {
        for await (const piece of this.#pieces(engine, job, true, signal)) {
          began = true;
          yield piece;
        }
        return;
      } catch (error) {
        failure = this.#failed(engine, error);
        if (began) break;
      }
    }
    throw failure;
  }

  close(): Promise<void> {
    return this.#encoders.close();
  }

  /** Returns an engine's error and rethrows any other. */
  #failed(engine: Engine, error: unknown): EngineError {
    if (!(error instanceof EngineError)) throw error;
    this.#onFailure(engine.name, error);
    return error;
  }

  async *#pieces(
    engine: Engine,
    { format, ...job }: SpeechJob,
    streams: boolean,
    signal: AbortSignal,
  ): AsyncGenerator<SpokenPiece> {
    let encoder: Encoder | undefined;
    let sampleRate = 0;
    let samples = 0;
    let ms = 0;
    try {
      for await (const sound of speakSentences(engine, job, this.#pauses, signal)) {
        sampleRate ||= rateOf(format, sound.sampleRate);
        const isLong = job.reading.syllables > LONG;
        encoder ??= await this.#encoders.open({ format, sampleRate, streams, isLong });
        const pcm = await resample(sound.pcm, sound.sampleRate, sampleRate);
        const bytes = await encoder.write(pcm);
        const start = ms;
        samples += pcm.length;
        ms = Math.round((samples * 1_000) / sampleRate);
        yield { bytes, ms, start, sound };
      }
      if (encoder === undefined) throw new EngineError('failed', `${engine.name} made no sound`);
      yield { bytes: await encoder.finish(), ms, start: ms };
    } finally {
      encoder?.close();
    }
  }
}
