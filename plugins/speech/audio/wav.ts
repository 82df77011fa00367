/** WAV, 16 bits, mono (RIFF; Multimedia Programming Interface and Data Specifications 1.0, 1991). */
import type { Encoder } from './encoder.js';

const HEADER = 44;

export function wavEncoder(sampleRate: number): Encoder {
  let parts: Int16Array[] = [];
  return {
    write: (pcm) => {
      parts.push(pcm);
      return Promise.resolve();
    },
    finish: () => wav(parts, sampleRate),
    close: () => {
      parts = [];
    },
  };
}

function wav(parts: readonly Int16Array[], sampleRate: number): Buffer {
  const length = parts.reduce((sum, part) => sum + part.byteLength, 0);
  const file = Buffer.alloc(HEADER + length);
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(HEADER - 8 + length, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(sampleRate, 24);
  file.writeUInt32LE(sampleRate * 2, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(length, 40);
  let at = HEADER;
  for (const part of parts) {
    file.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength), at);
    at += part.byteLength;
  }
  return file;
}
