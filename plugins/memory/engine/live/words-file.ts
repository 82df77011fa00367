/**
 * The words of the entries in a file, kept between starts: analysing entries takes most of a start. Derived data: if
 * the file is missing, damaged or of another version, only that time is lost.
 * Format: a line that identifies the writer, then for each owner the length of the block (32 bits, little endian), its
 * SHA-256, and the pool in `v8.serialize` form.
 */
import { createHash } from 'node:crypto';
import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { deserialize, serialize } from 'node:v8';
import type { Owner } from '../base/attributes.js';
import type { KeptPool } from '../keyword/kept-pool.js';

/** Format version, raised with every change to the analyzer or to `KeptPool`; a test detects such changes. */
const FORM = 1;
/** Word splitting depends on the version of Unicode, the serialization on V8. */
const MADE_BY = Buffer.from(
  `plugboard words ${FORM}, Unicode ${process.versions.unicode}, V8 ${process.versions.v8}\n`,
);
const HEAD = 36;

export interface OwnersWords {
  readonly owner: Owner;
  readonly pool: KeptPool;
}

/**
 * Yields each owner's pool. Ends at the first damaged block, or at once if there is no file or it has another version.
 */
export async function* readWords(path: string): AsyncGenerator<OwnersWords, void> {
  const file = await open(path).catch(() => undefined);
  if (file === undefined) return;
  try {
    if (!MADE_BY.equals((await read(file, MADE_BY.length)) ?? Buffer.alloc(0))) return;
    const { size } = await file.stat();
    for (;;) {
      const head = await read(file, HEAD);
      const length = head?.readUInt32LE(0) ?? 0;
      if (head === undefined || length === 0 || length > size) return;
      const body = await read(file, length);
      if (body === undefined || !digest(body).equals(head.subarray(4))) return;
      yield deserialize(body) as OwnersWords;
    }
  } finally {
    await file.close();
  }
}

/** Replaces the file once everything is written. Rejects if the disk fails. */
export async function writeWords(path: string, words: Iterable<OwnersWords>): Promise<void> {
  const draft = `${path}.new`;
  const file = await open(draft, 'w', 0o600);
  try {
    await file.write(MADE_BY);
    for (const each of words) {
      const body = serialize(each);
      const head = Buffer.alloc(HEAD);
      head.writeUInt32LE(body.length, 0);
      head.set(digest(body), 4);
      await file.writev([head, body]);
    }
    await file.close();
    await rename(draft, path);
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(draft, { force: true });
    throw error;
  }
}

/** Undefined: the file has fewer bytes left. */
async function read(file: FileHandle, length: number): Promise<Buffer | undefined> {
  const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(length), 0, length);
  return bytesRead === length ? buffer : undefined;
}

function digest(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}
