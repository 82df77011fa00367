/** Bodies that upstreams send compressed although they were asked not to. */
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { BodyReader } from './body-reader.js';

const DECODERS = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

export function isDecodable(encoding: string): boolean {
  return Object.hasOwn(DECODERS, encoding);
}

/** The compressed body is not what its header says. */
export class BadEncoding extends Error {
  override readonly name = 'BadEncoding';
}

/** Takes the compressed pieces and hands `reader` what they hold, a little at a time. */
export class DecodedBody implements BodyReader {
  readonly #reader: BodyReader;
  readonly #decoder;

  constructor(encoding: string, reader: BodyReader) {
    this.#reader = reader;
    this.#decoder = DECODERS[encoding as keyof typeof DECODERS]();
    this.#decoder
      .on('data', (bytes: Buffer) => reader.piece(bytes))
      .on('end', () => reader.end())
      .on('error', (cause) => reader.fail(new BadEncoding(cause.message, { cause })));
  }

  piece(bytes: Buffer): void {
    if (!this.#decoder.destroyed) this.#decoder.write(bytes);
  }

  end(): void {
    if (!this.#decoder.destroyed) this.#decoder.end();
  }

  fail(error: Error): void {
    this.stop();
    this.#reader.fail(error);
  }

  /** Nobody wants the rest: a megabyte that was sent may be a gigabyte. */
  stop(): void {
    this.#decoder.removeAllListeners('data').removeAllListeners('end').destroy();
  }

  pause(): void {
    this.#decoder.pause();
  }

  resume(): void {
    this.#decoder.resume();
  }
}
