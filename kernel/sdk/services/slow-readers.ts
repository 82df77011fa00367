/** Bounds the bytes that wait for slow clients, over all answers of the server (`server.maxUnread`). */
import type { Readable } from 'node:stream';

/** Whole bodies are counted without a call. When too much waits, the client that has waited longest is cut off. */
export interface SlowReaders {
  /** A body whose pieces are made as the client reads them. Ends `pieces` when the client is gone. */
  stream(pieces: Pieces): Readable;
}

export interface Pieces {
  /** Characters or bytes that are made but not yet in a piece. */
  readonly held: number;
  next(): Promise<IteratorResult<string | Uint8Array, void>>;
  return(): Promise<unknown>;
}
