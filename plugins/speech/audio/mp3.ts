/** MP3: short sound in steps on the event loop, long sound in blocks on other threads. */
import { nextTurn } from 'plugboard/sdk';
import { NOTHING, type Encoder } from './encoder.js';
import { EncoderThreads } from './encoder-threads.js';
import { isRate, openLame, type Lame } from './lame.js';
import { blockEncoder } from './mp3-blocks.js';
import { xingFrame } from './xing.js';

/** Idle encoders kept for reuse: creating one takes 5 ms. */
const MOST_IDLE = 4;
const THREADS = 2;

export class Mp3Encoders {
  readonly #idle: Lame[] = [];
  readonly #threads = new EncoderThreads(THREADS);

  /** `isLong`: sound of more than about ten seconds. */
  async open(sampleRate: number, isLong: boolean): Promise<Encoder> {
    if (isLong && isRate(sampleRate)) return blockEncoder(this.#threads, sampleRate);
    const encoder = await this.#begin(sampleRate, false);
    const chunks: Buffer[] = [];
    let samples = 0;
    return {
      write: async (pcm) => {
        samples += pcm.length;
        chunks.push(await encoder.write(pcm));
        return NOTHING;
      },
      finish: async () => {
        chunks.push(await encoder.finish());
        const audio = Buffer.concat(chunks);
        return Buffer.concat([xingFrame(audio, samples / sampleRate), audio]);
      },
      close: () => encoder.close(),
    };
  }

  /** Sent while it is made. */
  openStream(sampleRate: number): Promise<Encoder> {
    return this.#begin(sampleRate, true);
  }

  close(): Promise<void> {
    return this.#threads.close();
  }

  async #begin(sampleRate: number, streams: boolean): Promise<Encoder> {
    const lame = this.#idle.pop() ?? (await openLame());
    lame.begin(sampleRate, streams);
    let isOpen = true;
    return {
      write: async (pcm) => {
        const chunks: Buffer[] = [];
        for (let at = 0; at < pcm.length && isOpen; at += lame.most) {
          chunks.push(lame.encode(pcm.subarray(at, at + lame.most)));
          await nextTurn();
        }
        return Buffer.concat(chunks);
      },
      finish: () => Promise.resolve(lame.finish()),
      close: () => {
        if (isOpen) this.#keep(lame, sampleRate);
        isOpen = false;
      },
    };
  }

  /** Prepares for the next file after this answer is sent: that takes 2 ms. */
  #keep(lame: Lame, sampleRate: number): void {
    if (this.#idle.length >= MOST_IDLE) return;
    this.#idle.push(lame);
    setImmediate(() => {
      if (this.#idle.includes(lame)) lame.begin(sampleRate);
    });
  }
}
