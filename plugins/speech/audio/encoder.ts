/** Sound as a file: sentences go in one after another; what comes out, in its order, is the file. */
import { endianness } from 'node:os';

export const FORMATS = ['mp3', 'wav', 'pcm', 'opus', 'flac'] as const;
export type Format = (typeof FORMATS)[number];

export const MEDIA_TYPES: Readonly<Record<Format, string>> = {
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  pcm: 'audio/pcm',
  opus: 'audio/ogg',
  flac: 'audio/flac',
};

export interface Encoder {
  /** Answers what is ready: nothing for a file that is made at its end. */
  write(pcm: Int16Array): Promise<Buffer>;
  finish(): Promise<Buffer>;
  /** Gives back what the encoder holds; after `finish`, or instead of it. */
  close(): void;
}

export const NOTHING = Buffer.alloc(0);

/** The samples as bytes, little-endian. */
export function bytesOf(pcm: Int16Array): Buffer {
  const bytes = Buffer.from(pcm.buffer, pcm.byteOffset, pcm.byteLength);
  return endianness() === 'LE' ? bytes : Buffer.from(bytes).swap16();
}
