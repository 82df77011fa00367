/** What is made and waits for clients that read slowly: bounded over all answers of the server (`server.maxUnread`). */
import type { Readable } from 'node:stream';

/** Whole bodies are counted without a call. The client that has waited longest is cut off when too much waits. */
export interface SlowReaders {
  /** A body to send whose pieces are made as the client takes them. It ends `pieces` when the client is gone. */
  stream(pieces: Pieces): Readable;
}

export interface Pieces {
  /** Characters or bytes that are made and in no piece yet. */
  readonly held: number;
  next(): Promise<IteratorResult<string | Uint8Array, void>>;
  return(): Promise<unknown>;
}
