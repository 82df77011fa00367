/** The encoder of a format: for whole files, whose headers hold the length, or for streams. */
import { bytesOf, NOTHING, type Encoder, type Format } from './encoder.js';
import { flacEncoder } from './flac.js';
import { Mp3Encoders } from './mp3.js';
import { opusEncoder } from './opus.js';
import { wavEncoder, wavHeader } from './wav.js';

/** Samples per second: what clients expect of pcm, and a native rate of Opus. */
const RATES: Partial<Record<Format, number>> = { pcm: 24_000, opus: 24_000 };

export interface FileKind {
  readonly format: Format;
  readonly sampleRate: number;
  /** Sent while it is made. */
  readonly streams: boolean;
  /** More than about ten seconds. */
  readonly isLong: boolean;
}

/** The sample rate at which the format's encoder takes sound of `sampleRate`. */
export function rateOf(format: Format, sampleRate: number): number {
  return RATES[format] ?? sampleRate;
}

export class Encoders {
  readonly #mp3 = new Mp3Encoders();

  open({ format, sampleRate, streams, isLong }: FileKind): Promise<Encoder> {
    switch (format) {
      case 'mp3':
        return streams ? this.#mp3.openStream(sampleRate) : this.#mp3.open(sampleRate, isLong);
      case 'opus':
        return opusEncoder(sampleRate);
      case 'flac':
        return Promise.resolve(flacEncoder(sampleRate, streams));
      case 'wav':
        return Promise.resolve(streams ? rawEncoder(wavHeader(sampleRate)) : wavEncoder(sampleRate));
      default:
        return Promise.resolve(rawEncoder(NOTHING));
    }
  }

  close(): Promise<void> {
    return this.#mp3.close();
  }
}

/** The samples as they are, after a header. */
function rawEncoder(head: Buffer): Encoder {
  let before = head;
  return {
    write: (pcm) => {
      const bytes = Buffer.concat([before, bytesOf(pcm)]);
      before = NOTHING;
      return Promise.resolve(bytes);
    },
    finish: () => Promise.resolve(before),
    close: () => undefined,
  };
}
