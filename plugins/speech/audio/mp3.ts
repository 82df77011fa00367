/** MP3: short sound where it is, in turns of the event loop; long sound in blocks on other threads. */
import { nextTurn } from 'plugboard/sdk';
import type { Encoder } from './encoder.js';
import { EncoderThreads } from './encoder-threads.js';
import { isRate, openLame, type Lame } from './lame.js';
import { blockEncoder } from './mp3-blocks.js';
import { xingFrame } from './xing.js';

/** Encoders that wait to be used again: making one takes 5 ms. */
const MOST_IDLE = 4;
const THREADS = 2;

export class Mp3Encoders {
  readonly #idle: Lame[] = [];
  readonly #threads = new EncoderThreads(THREADS);

  /** `isLong`: for sound of more than some ten seconds. */
  async open(sampleRate: number, isLong: boolean): Promise<Encoder> {
    if (isLong && isRate(sampleRate)) return blockEncoder(this.#threads, sampleRate);
    const lame = this.#idle.pop() ?? (await openLame());
    lame.begin(sampleRate);
    const chunks: Buffer[] = [];
    let isOpen = true;
    let samples = 0;
    return {
      write: async (pcm) => {
        samples += pcm.length;
        for (let at = 0; at < pcm.length && isOpen; at += lame.most) {
          chunks.push(lame.encode(pcm.subarray(at, at + lame.most)));
          await nextTurn();
        }
      },
      finish: () => {
        chunks.push(lame.finish());
        const audio = Buffer.concat(chunks);
        return Buffer.concat([xingFrame(audio, samples / sampleRate), audio]);
      },
      close: () => {
        if (isOpen) this.#keep(lame, sampleRate);
        isOpen = false;
      },
    };
  }

  close(): Promise<void> {
    return this.#threads.close();
  }

  /** Prepared for the next file behind the answer to this one: that takes 2 ms. */
  #keep(lame: Lame, sampleRate: number): void {
    if (this.#idle.length >= MOST_IDLE) return;
    this.#idle.push(lame);
    setImmediate(() => {
      if (this.#idle.includes(lame)) lame.begin(sampleRate);
    });
  }
}
