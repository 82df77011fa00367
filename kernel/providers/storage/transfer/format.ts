/**
 * The file of an export: frames of a letter and a BSON document, gzipped when the name ends in `.gz`.
 *
 * `H` comes first and names the export; `C` begins a collection; `D` is a document of it; `E` ends the file and
 * says what is in it, so that a file which was cut is known as one.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { UserError } from '../../../sdk/command.js';
import { decode } from '../bson/decode.js';
import { encode } from '../bson/encode.js';
import type { Contents } from './digest.js';

export interface Header {
  readonly format: 'plugboard.export';
  readonly version: 1;
  readonly id: string;
  readonly createdAt: Date;
  /** How many documents there were when the export began, for the progress of an import. */
  readonly documents: number;
}

export type Frame =
  | { readonly kind: 'header'; readonly header: Header }
  | { readonly kind: 'collection'; readonly name: string }
  | { readonly kind: 'document'; readonly bytes: Buffer }
  | { readonly kind: 'end'; readonly collections: readonly Contents[] };

/** A document has at most 16 MiB; what is longer is no frame of ours. */
const LONGEST_FRAME = 17 * 2 ** 20;

/** Writes a new file, whole or not at all. */
export async function writeFrames(
  file: string,
  frames: AsyncIterable<Frame>,
  signal: AbortSignal,
): Promise<void> {
  const draft = `${file}.part`;
  const output = createWriteStream(draft, { mode: 0o600, flush: true });
  try {
    const bytes = Readable.from(chunked(frames), { objectMode: false });
    if (file.endsWith('.gz')) await pipeline(bytes, createGzip({ level: 3 }), output, { signal });
    else await pipeline(bytes, output, { signal });
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Throws a `UserError` for a file that is cut, damaged or not an export. */
export async function* readFrames(file: string): AsyncGenerator<Frame> {
  const input = createReadStream(file);
  const bytes = file.endsWith('.gz') ? input.compose(createGunzip()) : input;
  let rest: Buffer = Buffer.alloc(0);
  let ended = false;
  try {
    for await (const chunk of bytes as AsyncIterable<Buffer>) {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      let at = 0;
      for (;;) {
        if (rest.length - at < 5) break;
        const length = rest.readInt32LE(at + 1);
        if (length < 5 || length > LONGEST_FRAME)
          throw new UserError(`"${file}" is damaged or not an export`);
        if (rest.length - at < 1 + length) break;
        const frame = toFrame(rest.readUInt8(at), rest.subarray(at + 1, at + 1 + length), file);
        ended = frame.kind === 'end';
        yield frame;
        at += 1 + length;
      }
      rest = rest.subarray(at);
    }
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new UserError(`there is no file "${file}"`, { cause: error });
    if (code.startsWith('Z_')) throw new UserError(`"${file}" is cut or damaged: ${code}`, { cause: error });
    throw error;
  }
  if (!ended || rest.length > 0) throw new UserError(`"${file}" is cut: its end is missing`);
}

/** In pieces of some 64 kB: a write for each document costs more than the document. */
async function* chunked(frames: AsyncIterable<Frame>): AsyncGenerator<Buffer> {
  let parts: Uint8Array[] = [];
  let size = 0;
  for await (const frame of frames) {
    const [tag, bytes] = toBytes(frame);
    parts.push(tag, bytes);
    size += 1 + bytes.length;
    if (size < 65_536) continue;
    yield Buffer.concat(parts);
    parts = [];
    size = 0;
  }
  yield Buffer.concat(parts);
}

const TAGS = { header: 'H', collection: 'C', document: 'D', end: 'E' } as const;

function toBytes(frame: Frame): [tag: Buffer, bytes: Uint8Array] {
  const tag = Buffer.from(TAGS[frame.kind]);
  switch (frame.kind) {
    case 'header':
      return [tag, encode({ ...frame.header })];
    case 'collection':
      return [tag, encode({ name: frame.name })];
    case 'document':
      return [tag, frame.bytes];
    case 'end':
      return [tag, encode({ collections: frame.collections.map((one) => ({ ...one })) })];
  }
}

function toFrame(tag: number, bytes: Buffer, file: string): Frame {
  if (tag === TAGS.document.charCodeAt(0)) return { kind: 'document', bytes };
  const members = decode(bytes) as Record<string, unknown>;
  switch (String.fromCharCode(tag)) {
    case TAGS.header:
      return { kind: 'header', header: members as unknown as Header };
    case TAGS.collection:
      return { kind: 'collection', name: String(members['name']) };
    case TAGS.end:
      return { kind: 'end', collections: members['collections'] as Contents[] };
    default:
      throw new UserError(`"${file}" is damaged or not an export`);
  }
}
