/**
 * Frames on the pipes to the engine: 4 bytes length of the header, 4 bytes length of the body (both big-endian), the
 * header as JSON, the raw body.
 */

export interface Frame {
  readonly header: unknown;
  readonly body: Buffer;
}

export function encodeFrame(header: object): Buffer {
  const json = Buffer.from(JSON.stringify(header));
  const lengths = Buffer.alloc(8);
  lengths.writeUInt32BE(json.length, 0);
  return Buffer.concat([lengths, json]);
}

/** Takes chunks and returns the frames that they complete. */
export class FrameReader {
  readonly #longest: number;
  #chunks: Buffer[] = [];
  #length = 0;
  /** The length of the current frame, once its first 8 bytes have arrived. */
  #wanted = 8;

  /** `longest` in bytes: throws for a longer frame. */
  constructor(longest: number) {
    this.#longest = longest;
  }

  push(chunk: Buffer): Frame[] {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    const frames: Frame[] = [];
    while (this.#length >= this.#wanted) {
      const bytes = Buffer.concat(this.#chunks);
      const headerEnd = 8 + bytes.readUInt32BE(0);
      const end = headerEnd + bytes.readUInt32BE(4);
      if (end > this.#longest) throw new Error(`a frame of ${end} bytes is longer than ${this.#longest}`);
      if (bytes.length < end) {
        this.#keep(bytes, end);
        break;
      }
      frames.push({
        header: JSON.parse(bytes.subarray(8, headerEnd).toString('utf8')) as unknown,
        body: bytes.subarray(headerEnd, end),
      });
      this.#keep(bytes.subarray(end), 8);
    }
    return frames;
  }

  #keep(bytes: Buffer, wanted: number): void {
    this.#chunks = bytes.length === 0 ? [] : [bytes];
    this.#length = bytes.length;
    this.#wanted = wanted;
  }
}
