/** FLAC, 16 bits, mono (RFC 9639): fixed predictors and Rice codes, which halve the size of speech. */
import { createHash } from 'node:crypto';
import { nextTurn } from 'plugboard/sdk';
import { Bits, crc16, crc8 } from './bits.js';
import { bytesOf, NOTHING, type Encoder } from './encoder.js';

const BLOCK = 4_096;
/** A block has 2^4 partitions, each with its own Rice parameter. */
const PARTITIONS = 4;
const MOST_ORDER = 4;
/** 15 means an uncoded residual. */
const MOST_RICE = 14;
const HEAD = 42;

/** With `streams`, the header has no length and no hash. */
export function flacEncoder(sampleRate: number, streams: boolean): Encoder {
  const hash = createHash('md5');
  let parts: Buffer[] = [];
  let rest: Int16Array = new Int16Array(0);
  let samples = 0;
  let frames = 0;

  const encode = async (pcm: Int16Array, isLast: boolean): Promise<Int16Array> => {
    let at = 0;
    for (; pcm.length - at >= (isLast ? 1 : BLOCK); at += BLOCK) {
      parts.push(frameOf(pcm.subarray(at, at + BLOCK), frames, sampleRate));
      frames += 1;
      await nextTurn();
    }
    return pcm.slice(at);
  };
  const taken = (): Buffer => {
    const bytes = Buffer.concat(parts);
    parts = [];
    return bytes;
  };
  if (streams) parts.push(headOf(sampleRate));

  return {
    write: async (pcm) => {
      hash.update(bytesOf(pcm));
      samples += pcm.length;
      const all = new Int16Array(rest.length + pcm.length);
      all.set(rest);
      all.set(pcm, rest.length);
      rest = await encode(all, false);
      return streams ? taken() : NOTHING;
    },
    finish: async () => {
      await encode(rest, true);
      return streams
        ? taken()
        : Buffer.concat([headOf(sampleRate, { samples, md5: hash.digest() }), taken()]);
    },
    close: () => {
      parts = [];
    },
  };
}

/** The marker and the STREAMINFO block; unknown values are 0. */
function headOf(sampleRate: number, known?: { samples: number; md5: Buffer }): Buffer {
  const head = Buffer.alloc(HEAD);
  head.write('fLaC', 0, 'latin1');
  // Last metadata block, type 0.
  head.writeUInt8(0x80, 4);
  head.writeUIntBE(34, 5, 3);
  head.writeUInt16BE(BLOCK, 8);
  head.writeUInt16BE(BLOCK, 10);
  // 20 bits of rate, 3 of channels - 1, 5 of bits - 1, 36 of samples.
  head.writeUInt32BE(((sampleRate << 12) | (15 << 4)) >>> 0, 18);
  head.writeUInt32BE(known?.samples ?? 0, 22);
  known?.md5.copy(head, 26);
  return head;
}

/** Self-contained: a decoder can start in the middle of a stream. */
function frameOf(pcm: Int16Array, number: number, sampleRate: number): Buffer {
  const bits = new Bits(pcm.length * 3 + 64);
  // Sync code and fixed block size; 16 bits of size - 1, 16 of rate; mono, 16 bits.
  bits.write(0xfff8, 16);
  bits.write(0b0111_1101, 8);
  bits.write(0b0000_1000, 8);
  writeNumber(bits, number);
  bits.write(pcm.length - 1, 16);
  bits.write(sampleRate, 16);
  bits.write(crc8(bits.bytes()), 8);
  const { order, residual } = predicted(pcm);
  bits.write((0b001000 | order) << 1, 8);
  for (let at = 0; at < order; at += 1) bits.write((pcm[at] ?? 0) & 0xffff, 16);
  writeResidual(bits, residual, order);
  bits.align();
  bits.write(crc16(bits.bytes()), 16);
  return bits.bytes();
}

/** Encoded like UTF-8. An hour at 48 kHz has 42,000 blocks, below the first surrogate. */
function writeNumber(bits: Bits, number: number): void {
  for (const byte of Buffer.from(String.fromCodePoint(number), 'utf8')) bits.write(byte, 8);
}

/** The predictor order with the smallest residual, which omits the first `order` samples. */
function predicted(pcm: Int16Array): { order: number; residual: Int32Array } {
  let differences = Int32Array.from(pcm);
  let best = { order: 0, residual: differences, size: sizeOf(differences, MOST_ORDER) };
  for (let order = 1; order <= Math.min(MOST_ORDER, pcm.length - 1); order += 1) {
    const next = new Int32Array(pcm.length);
    for (let at = order; at < pcm.length; at += 1)
      next[at] = (differences[at] ?? 0) - (differences[at - 1] ?? 0);
    differences = next;
    const size = sizeOf(differences, MOST_ORDER);
    if (size < best.size) best = { order, residual: differences, size };
  }
  return best;
}

function sizeOf(residual: Int32Array, from: number): number {
  let size = 0;
  for (let at = from; at < residual.length; at += 1) size += Math.abs(residual[at] ?? 0);
  return size;
}

function writeResidual(bits: Bits, residual: Int32Array, order: number): void {
  const partitions =
    residual.length % (1 << PARTITIONS) === 0 && residual.length >> PARTITIONS > order ? PARTITIONS : 0;
  const length = residual.length >> partitions;
  // Rice codes with parameters of 4 bits.
  bits.write(0, 2);
  bits.write(partitions, 4);
  for (let start = 0; start < residual.length; start += length) {
    const part = residual.subarray(Math.max(order, start), start + length);
    const parameter = riceOf(part);
    bits.write(parameter, 4);
    for (const value of part) bits.writeRice(value >= 0 ? value * 2 : -value * 2 - 1, parameter);
  }
}

/** From the mean of the folded values, which are geometrically distributed. */
function riceOf(part: Int32Array): number {
  const mean = (2 * sizeOf(part, 0)) / Math.max(1, part.length);
  return Math.max(0, Math.min(MOST_RICE, Math.round(Math.log2(mean * Math.LN2 + 1))));
}
