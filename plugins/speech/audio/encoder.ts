/** Sound as a file: sentences go in one after another, the whole comes out at the end. */
export const FORMATS = ['mp3', 'wav'] as const;
export type Format = (typeof FORMATS)[number];

export const MEDIA_TYPES: Readonly<Record<Format, string>> = { mp3: 'audio/mpeg', wav: 'audio/wav' };

export interface Encoder {
  write(pcm: Int16Array): Promise<void>;
  finish(): Buffer | Promise<Buffer>;
  /** Gives back what the encoder holds; after `finish`, or instead of it. */
  close(): void;
}
