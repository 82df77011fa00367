/** Reads the file of an exported collection, a page of documents at a time. */
import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { type Document, UserError } from 'plugboard/sdk';
import { decode } from '../bson/decode.js';
import type { ExportedCollection } from './manifest.js';
import { PAGE } from './whole-store.js';

const CHUNK = 2 ** 20;
/** The size limit of a document, plus its overhead. */
const LARGEST = 17 * 2 ** 20;

export interface ExportedPage {
  readonly documents: readonly Document[];
  /** The position in the file after them. */
  readonly end: number;
}

/** Throws a `UserError` if the file is not as the export wrote it. */
export function checkFile(directory: string, { file, bytes, checksum }: ExportedCollection): void {
  const path = join(directory, file);
  const size = existsSync(path) ? statSync(path).size : 0;
  if (size !== bytes) throw new UserError(`"${path}" has ${size} bytes where the export wrote ${bytes}`);
  const handle = openSync(path, 'r');
  try {
    const chunk = Buffer.allocUnsafe(CHUNK);
    let sum = 0;
    for (let at = 0; at < bytes;) {
      const read = readSync(handle, chunk, 0, CHUNK, at);
      sum = crc32(chunk.subarray(0, read), sum);
      at += read;
    }
    if (sum !== checksum) throw new UserError(`"${path}" was changed since the export wrote it`);
  } finally {
    closeSync(handle);
  }
}

export function* exportedPages(
  directory: string,
  { file, bytes }: ExportedCollection,
  from: number,
): Generator<ExportedPage, void> {
  const handle = openSync(join(directory, file), 'r');
  try {
    let documents: Document[] = [];
    let at = from;
    while (at < bytes) {
      const document = documentAt(handle, at);
      at += document.length;
      documents.push(decode(document) as unknown as Document);
      if (documents.length < PAGE && at < bytes) continue;
      yield { documents, end: at };
      documents = [];
    }
  } finally {
    closeSync(handle);
  }
}

function documentAt(handle: number, at: number): Buffer {
  const head = Buffer.allocUnsafe(4);
  readSync(handle, head, 0, 4, at);
  const length = head.readInt32LE(0);
  if (length < 5 || length > LARGEST)
    throw new UserError('a document of the export has an impossible length');
  const bytes = Buffer.allocUnsafe(length);
  if (readSync(handle, bytes, 0, length, at) < length) throw new UserError('a document of the export is cut');
  return bytes;
}
