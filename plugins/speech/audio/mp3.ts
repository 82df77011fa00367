/** MP3 by LAME, compiled to WebAssembly, at a variable bit rate, which takes it half the time of a constant one of 64 kbit/s. */
import { nextTurn } from 'plugboard/sdk';
import { createMp3Encoder } from 'wasm-media-encoders';
import type { Encoder } from './encoder.js';
import { xingFrame } from './xing.js';

/** LAME's -V, 0 the best: about 75 kbit/s for speech at 22 kHz. */
const QUALITY = 6;
/** Sound at another rate is resampled to one of these. */
const RATES = [8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000] as const;
/** Samples between two turns of the event loop: 0.4 s of sound take about 2 ms. */
const SAMPLES_A_TURN = 8_192;
/** Encoders that wait to be used again: making one takes 5 ms. */
const MOST_IDLE = 4;

interface Lame {
  readonly encoder: Awaited<ReturnType<typeof createMp3Encoder>>;
  /** The sample rate for which it can begin a new file. */
  ready?: number;
}

export class Mp3Encoders {
  readonly #idle: Lame[] = [];

  async open(sampleRate: number): Promise<Encoder> {
    const lame = this.#idle.pop() ?? { encoder: await createMp3Encoder() };
    if (lame.ready !== sampleRate) prepare(lame, sampleRate);
    delete lame.ready;
    const { encoder } = lame;
    const chunks: Buffer[] = [];
    // One for all turns: a new one each would call for the garbage collector every few clips.
    const floats = new Float32Array(SAMPLES_A_TURN);
    let isOpen = true;
    let samples = 0;
    return {
      write: async (pcm) => {
        samples += pcm.length;
        for (let at = 0; at < pcm.length && isOpen; at += SAMPLES_A_TURN) {
          const length = Math.min(SAMPLES_A_TURN, pcm.length - at);
          // A loop: `set` and `from` take as long as a third of the encoding.
          for (let part = 0; part < length; part += 1) floats[part] = (pcm[at + part] ?? 0) / 32_768;
          // What the encoder answers is a view of its memory.
          chunks.push(Buffer.from(encoder.encode([floats.subarray(0, length)])));
          await nextTurn();
        }
      },
      finish: () => {
        chunks.push(Buffer.from(encoder.finalize()));
        const audio = Buffer.concat(chunks);
        return Buffer.concat([xingFrame(audio, samples / sampleRate), audio]);
      },
      close: () => {
        if (isOpen) this.#keep(lame, sampleRate);
        isOpen = false;
      },
    };
  }

  /** Prepared for the next file behind the answer to this one: that takes 2 ms. */
  #keep(lame: Lame, sampleRate: number): void {
    if (this.#idle.length >= MOST_IDLE) return;
    this.#idle.push(lame);
    setImmediate(() => {
      if (this.#idle.includes(lame)) prepare(lame, sampleRate);
    });
  }
}

function prepare(lame: Lame, sampleRate: number): void {
  const outputSampleRate = RATES.find((rate) => rate === sampleRate);
  lame.encoder.configure({
    sampleRate,
    channels: 1,
    vbrQuality: QUALITY,
    ...(outputSampleRate && { outputSampleRate }),
  });
  lame.ready = sampleRate;
}
