/** Decodes documents in turns of the event loop: a batch from the server has up to 16 MB. */
import type { FindCursor } from 'mongodb';
import { type Document, nextTurn, turnIsOver } from 'plugboard/sdk';
import { fromBytes } from './values.js';

/** Bytes between two looks at the clock. */
const PAUSE_BYTES = 64 * 1024;

/** All of one answer. */
export async function allFromBytes(found: readonly Uint8Array[]): Promise<Document[]> {
  const documents: Document[] = [];
  let read = 0;
  for (const bytes of found) {
    documents.push(fromBytes(bytes));
    read += bytes.length;
    if (read < PAUSE_BYTES) continue;
    read = 0;
    if (turnIsOver()) await nextTurn();
  }
  return documents;
}

/** One after another; closes the cursor after the last one, or when the reader stops early. */
export async function* eachFromBytes(cursor: FindCursor<Uint8Array>): AsyncGenerator<Document> {
  let read = 0;
  try {
    // One promise per batch: one per document takes as long as decoding it.
    while (await cursor.hasNext()) {
      for (const bytes of cursor.readBufferedDocuments()) {
        yield fromBytes(bytes);
        read += bytes.length;
        if (read < PAUSE_BYTES) continue;
        read = 0;
        if (turnIsOver()) await nextTurn();
      }
    }
  } finally {
    // A server that is gone has lost the cursor anyway.
    await cursor.close().catch(() => {});
  }
}
