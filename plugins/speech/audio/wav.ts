/** WAV, 16 bits, mono (RIFF; Multimedia Programming Interface and Data Specifications 1.0, 1991). */
import { bytesOf, NOTHING, type Encoder } from './encoder.js';

const HEADER = 44;
/** What streaming servers write: the data goes on to the end. */
const UNKNOWN = 0xffff_ffff;

export function wavEncoder(sampleRate: number): Encoder {
  let parts: Buffer[] = [];
  return {
    write: (pcm) => {
      parts.push(bytesOf(pcm));
      return Promise.resolve(NOTHING);
    },
    finish: () => {
      const length = parts.reduce((sum, part) => sum + part.length, 0);
      return Promise.resolve(Buffer.concat([wavHeader(sampleRate, length), ...parts]));
    },
    close: () => {
      parts = [];
    },
  };
}

/** `length`: bytes of samples. */
export function wavHeader(sampleRate: number, length?: number): Buffer {
  const header = Buffer.alloc(HEADER);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(length === undefined ? UNKNOWN : HEADER - 8 + length, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(sampleRate, 24);
  header.writeUInt32LE(sampleRate * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(length ?? UNKNOWN, 40);
  return header;
}
