/** The encoder of a format: of whole files, whose heads say how long they are, or of streams. */
import { bytesOf, NOTHING, type Encoder, type Format } from './encoder.js';
import { flacEncoder } from './flac.js';
import { Mp3Encoders } from './mp3.js';
import { opusEncoder } from './opus.js';
import { wavEncoder, wavHeader } from './wav.js';

/** Samples a second: what clients expect of pcm, and one of Opus' own. */
const RATES: Partial<Record<Format, number>> = { pcm: 24_000, opus: 24_000 };

export interface FileKind {
  readonly format: Format;
  readonly sampleRate: number;
  /** Sent as it is made. */
  readonly streams: boolean;
  /** More than some ten seconds. */
  readonly isLong: boolean;
}

/** The rate at which the encoder of the format takes sound that has `sampleRate`. */
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

/** The samples as they are, behind a head. */
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
