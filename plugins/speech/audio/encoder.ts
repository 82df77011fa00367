/** Sound to a file: sentences go in one after another; the outputs in order are the file. */
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
  /** Returns the bytes that are ready: none for formats written at the end. */
  write(pcm: Int16Array): Promise<Buffer>;
  finish(): Promise<Buffer>;
  /** Frees what the encoder holds; after `finish`, or instead. */
  close(): void;
}

export const NOTHING = Buffer.alloc(0);

/** The samples as bytes, little-endian. */
export function bytesOf(pcm: Int16Array): Buffer {
  const bytes = Buffer.from(pcm.buffer, pcm.byteOffset, pcm.byteLength);
  return endianness() === 'LE' ? bytes : Buffer.from(bytes).swap16();
}
