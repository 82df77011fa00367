/** How far a store has come: kept in it with each commit, and in each checkpoint. */
import type { KeySpace } from './key-space.js';

export interface Progress {
  /** Counts the commits. */
  readonly sequence: number;
  /** Behind the last record of the log. */
  readonly position: number;
  /** The last commit that is not in the log: only a checkpoint as new makes what follows durable. */
  readonly unlogged: number;
  /** Tells the records of a log from those of its former lives. */
  readonly epoch: number;
}

export const START: Progress = { sequence: 0, position: 0, unlogged: 0, epoch: 0 };

export const PROGRESS_BYTES = 28;

export function encodeProgress({ sequence, position, unlogged, epoch }: Progress): Buffer {
  const bytes = Buffer.allocUnsafe(PROGRESS_BYTES);
  bytes.writeDoubleLE(sequence, 0);
  bytes.writeDoubleLE(position, 8);
  bytes.writeDoubleLE(unlogged, 16);
  bytes.writeUInt32LE(epoch, 24);
  return bytes;
}

export function decodeProgress(bytes: Buffer): Progress {
  return {
    sequence: bytes.readDoubleLE(0),
    position: bytes.readDoubleLE(8),
    unlogged: bytes.readDoubleLE(16),
    epoch: bytes.readUInt32LE(24),
  };
}

/** The key in the catalog under which all processes keep it. */
const PROGRESS = Buffer.from('progress');

export function readProgress(catalog: KeySpace): Progress {
  const bytes = catalog.peek(PROGRESS);
  return bytes === undefined ? START : decodeProgress(bytes);
}

/** The sequence alone: what every turn of the event loop asks for. */
export function readSequence(catalog: KeySpace): number {
  return catalog.peek(PROGRESS)?.readDoubleLE(0) ?? 0;
}

export function writeProgress(catalog: KeySpace, progress: Progress): void {
  catalog.put(PROGRESS, encodeProgress(progress));
}
