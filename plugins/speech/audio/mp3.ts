/** MP3 by LAME, compiled to WebAssembly: constant bit rate, because a variable one comes without the frame that says how long it is. */
import { setImmediate as yieldLoop } from 'node:timers/promises';
import { createMp3Encoder } from 'wasm-media-encoders';
import type { Encoder } from './encoder.js';

const BIT_RATE = 64;
/** Samples between two turns of the event loop: 0.4 s of sound take about 2 ms. */
const SAMPLES_A_TURN = 8_192;
/** Encoders that wait to be used again: making one takes 5 ms. */
const MOST_IDLE = 4;

type Lame = Awaited<ReturnType<typeof createMp3Encoder>>;

export class Mp3Encoders {
  readonly #idle: Lame[] = [];

  async open(sampleRate: number): Promise<Encoder> {
    const lame = this.#idle.pop() ?? (await createMp3Encoder());
    lame.configure({ sampleRate, channels: 1, bitrate: BIT_RATE });
    const chunks: Buffer[] = [];
    let isOpen = true;
    return {
      write: async (pcm) => {
        for (let at = 0; at < pcm.length && isOpen; at += SAMPLES_A_TURN) {
          const samples = floats(pcm, at, Math.min(SAMPLES_A_TURN, pcm.length - at));
          // What the encoder answers is a view of its memory.
          chunks.push(Buffer.from(lame.encode([samples])));
          await yieldLoop();
        }
      },
      finish: () => {
        chunks.push(Buffer.from(lame.finalize()));
        return Buffer.concat(chunks);
      },
      close: () => {
        if (isOpen && this.#idle.length < MOST_IDLE) this.#idle.push(lame);
        isOpen = false;
      },
    };
  }
}

/** A loop: `Float32Array.from` takes as long as a third of the encoding. */
function floats(pcm: Int16Array, start: number, length: number): Float32Array {
  const samples = new Float32Array(length);
  for (let at = 0; at < length; at += 1) samples[at] = (pcm[start + at] ?? 0) / 32_768;
  return samples;
}
