/**
 * Frames of MPEG layer III as parts that can be joined anew (ISO 11172-3 2.4.1, ISO 13818-3 for the lower sample
 * rates). The data of a frame may begin in earlier frames (bit reservoir), so frames cannot simply be cut apart: here
 * each holds its own data, and `joinFrames` lays them out again. Mono only, as all sound is here.
 */

/** In kbit/s, by the bit rate index of a header; layer III. */
export const RATES = {
  mpeg1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  mpeg2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
} as const;
const SAMPLE_RATES = [44_100, 48_000, 32_000];
const HEADER = 4;

export interface Frame {
  readonly header: Buffer;
  readonly side: Buffer;
  /** Its main data. */
  readonly main: Buffer;
}

export function isMpeg1(header: Buffer): boolean {
  return ((header[1] ?? 0) & 0b0001_1000) === 0b0001_1000;
}

/** Bytes of side information in a mono frame. */
export function sideLength(header: Buffer): number {
  return isMpeg1(header) ? 17 : 9;
}

export function sampleRateOf(header: Buffer): number {
  const [, version = 0, rates = 0] = header;
  const divisor = isMpeg1(header) ? 1 : (version & 0b0001_0000) !== 0 ? 2 : 4;
  return (SAMPLE_RATES[(rates >> 2) & 0b11] ?? 0) / divisor;
}

/** Throws for an invalid header. */
export function frameLength(header: Buffer): number {
  const [sync = 0, version = 0, rates = 0] = header;
  const rate = RATES[isMpeg1(header) ? 'mpeg1' : 'mpeg2'][rates >> 4];
  if (sync !== 0xff || (version & 0b1110_0110) !== 0b1110_0010 || !rate)
    throw new Error('not a frame of MPEG layer III');
  const perKilobit = isMpeg1(header) ? 144_000 : 72_000;
  return Math.floor((perKilobit * rate) / sampleRateOf(header)) + ((rates >> 1) & 1);
}

/** The frames of a stream from its beginning. Throws for anything but a frame. */
export function framesOf(stream: Buffer): Frame[] {
  const frames: Frame[] = [];
  /** The bodies so far, including that of the current frame. */
  const bodies: Buffer[] = [];
  let end = 0;
  for (let at = 0; at < stream.length;) {
    const header = stream.subarray(at, at + HEADER);
    const next = at + frameLength(header);
    const bodyAt = at + HEADER + sideLength(header);
    const side = stream.subarray(at + HEADER, bodyAt);
    const body = stream.subarray(bodyAt, next);
    const before = isMpeg1(header) ? ((side[0] ?? 0) << 1) | ((side[1] ?? 0) >> 7) : (side[0] ?? 0);
    bodies.push(body);
    frames.push({
      header,
      side,
      main: slice(bodies, end + body.length, end - before, mainLength(header, side)),
    });
    end += body.length;
    at = next;
  }
  return frames;
}

/** `length` bytes at `from` of a stream that ends at `end` with the last body. */
function slice(bodies: readonly Buffer[], end: number, from: number, length: number): Buffer {
  const parts: Buffer[] = [];
  let start = end;
  for (let at = bodies.length - 1; at >= 0 && start > from; at -= 1) {
    const body = bodies[at] ?? Buffer.alloc(0);
    start -= body.length;
    parts.unshift(body);
  }
  const [only] = parts;
  const joined = parts.length === 1 && only !== undefined ? only : Buffer.concat(parts);
  return joined.subarray(from - start, from - start + length);
}

/** Bytes of the granules of a frame. */
function mainLength(header: Buffer, side: Buffer): number {
  const bits = isMpeg1(header) ? bitsAt(side, 18) + bitsAt(side, 77) : bitsAt(side, 9);
  return Math.ceil(bits / 8);
}

/** The 12 bits at a position: `part2_3_length` of a granule. */
function bitsAt(bytes: Buffer, bit: number): number {
  const at = bit >> 3;
  const three = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
  return (three >> (12 - (bit & 7))) & 0xfff;
}

/** Joins frames to a stream, each at the lowest bit rate that holds what the reservoir has no room for. */
export function joinFrames(frames: readonly Frame[]): Buffer {
  const heads: Buffer[] = [];
  const bodies: number[] = [];
  /** For each frame, where its data begins in the concatenated bodies. */
  const places: number[] = [];
  let room = 0;
  let used = 0;
  for (const [at, { header, side, main }] of frames.entries()) {
    const most = isMpeg1(header) ? 511 : 255;
    const spare = Math.min(room, most);
    const head = headFor(header, main.length - spare + beyondLargest(frames[at + 1]));
    const body = bodyLength(head);
    const ownSide = Buffer.from(side);
    if (isMpeg1(header)) {
      ownSide[0] = spare >> 1;
      ownSide[1] = ((spare & 1) << 7) | ((side[1] ?? 0) & 0x7f);
    } else ownSide[0] = spare;
    heads.push(Buffer.concat([head, ownSide]));
    bodies.push(body);
    places.push(used - spare);
    used += body;
    room = spare + body - main.length;
  }
  const bits = Buffer.alloc(used);
  for (const [at, { main }] of frames.entries()) main.copy(bits, places[at]);
  let from = 0;
  return Buffer.concat(heads.flatMap((head, at) => [head, bits.subarray(from, (from += bodies[at] ?? 0))]));
}

/** Bytes that the frame before must reserve because no bit rate holds them. */
function beyondLargest(frame: Frame | undefined): number {
  return frame === undefined
    ? 0
    : Math.max(0, frame.main.length - bodyLength(headFor(frame.header, Infinity)));
}

function bodyLength(header: Buffer): number {
  return frameLength(header) - HEADER - sideLength(header);
}

/** The header without padding, at the lowest bit rate whose body holds `bytes`. */
function headFor(header: Buffer, bytes: number): Buffer {
  const head = Buffer.from(header);
  for (let index = 1; index < RATES.mpeg1.length; index += 1) {
    head[2] = (index << 4) | ((header[2] ?? 0) & 0b1101);
    if (bodyLength(head) >= bytes) break;
  }
  return head;
}
