/** Reads WAV of any server: unknown sizes, chunks in any order, any rate, 8 to 32 bits, any number of channels. */
import { endianness } from 'node:os';
import { nextTurn } from 'plugboard/sdk';

export interface Wave {
  /** Mono: the mean of the channels. */
  readonly pcm: Int16Array;
  readonly sampleRate: number;
}

interface Format {
  readonly kind: 'integer' | 'float';
  readonly channels: number;
  readonly sampleRate: number;
  readonly bits: number;
}

/** Frames between two turns of the event loop, about 2 ms. */
const FRAMES_A_TURN = 65_536;

/** Throws an `Error` that says what is wrong. */
export async function readWave(file: Buffer): Promise<Wave> {
  if (
    file.length < 12 ||
    file.toString('latin1', 0, 4) !== 'RIFF' ||
    file.toString('latin1', 8, 12) !== 'WAVE'
  )
    throw new Error('not a WAV file');
  let format: Format | undefined;
  for (let at = 12; at + 8 <= file.length;) {
    const name = file.toString('latin1', at, at + 4);
    const size = file.readUInt32LE(at + 4);
    const start = at + 8;
    if (name === 'fmt ') format = readFormat(file.subarray(start, start + size));
    if (name === 'data') {
      if (format === undefined) throw new Error('a WAV file without a format before its data');
      // Streaming servers write 0xFFFFFFFF or 0: the data goes on to the end.
      const end = size === 0 ? file.length : Math.min(file.length, start + size);
      return { pcm: await samples(file.subarray(start, end), format), sampleRate: format.sampleRate };
    }
    at = start + size + (size % 2);
  }
  throw new Error('a WAV file without data');
}

function readFormat(chunk: Buffer): Format {
  if (chunk.length < 16) throw new Error('a WAV file with a short format');
  const extensible = chunk.readUInt16LE(0) === 0xfffe && chunk.length >= 26;
  const tag = chunk.readUInt16LE(extensible ? 24 : 0);
  const format = {
    kind: tag === 3 ? 'float' : 'integer',
    channels: chunk.readUInt16LE(2),
    sampleRate: chunk.readUInt32LE(4),
    bits: chunk.readUInt16LE(14),
  } as const;
  const isKnown = tag === 1 ? [8, 16, 24, 32].includes(format.bits) : tag === 3 && format.bits === 32;
  if (!isKnown) throw new Error(`a WAV file of format ${tag} with ${format.bits} bits`);
  if (format.channels < 1 || format.channels > 8)
    throw new Error(`a WAV file with ${format.channels} channels`);
  if (format.sampleRate < 8_000 || format.sampleRate > 48_000)
    throw new Error(`a WAV file with ${format.sampleRate} samples a second`);
  return format;
}

async function samples(data: Buffer, { kind, channels, bits }: Format): Promise<Int16Array> {
  const bytes = bits >> 3;
  const length = Math.floor(data.length / (bytes * channels));
  const pcm = new Int16Array(length);
  if (kind === 'integer' && bits === 16 && channels === 1 && endianness() === 'LE') {
    // The most common format needs no conversion.
    data.copy(new Uint8Array(pcm.buffer), 0, 0, length * 2);
    return pcm;
  }
  for (let at = 0; at < length; at += 1) {
    let sum = 0;
    for (let channel = 0; channel < channels; channel += 1)
      sum += sample(data, (at * channels + channel) * bytes, kind, bits);
    pcm[at] = Math.max(-32_768, Math.min(32_767, Math.round(sum / channels)));
    if (at % FRAMES_A_TURN === FRAMES_A_TURN - 1) await nextTurn();
  }
  return pcm;
}

/** Scaled to 16 bits. */
function sample(data: Buffer, at: number, kind: Format['kind'], bits: number): number {
  if (kind === 'float') {
    const value = data.readFloatLE(at);
    return Number.isNaN(value) ? 0 : Math.max(-1, Math.min(1, value)) * 32_767;
  }
  switch (bits) {
    case 8:
      return (data.readUInt8(at) - 128) * 256;
    case 16:
      return data.readInt16LE(at);
    case 24:
      return data.readIntLE(at, 3) / 256;
    default:
      return data.readInt32LE(at) / 65_536;
  }
}
