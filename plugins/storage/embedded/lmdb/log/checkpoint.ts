/**
 * Checkpoints: states of the store that are complete on disk. A checkpoint is a copy of lmdb's two meta pages, which
 * name the pages of a state. Writing the copy back restores that state, provided that none of its pages was reused.
 */
import { closeSync, existsSync, fdatasyncSync, openSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { sync, syncDirectory, writeAll } from './disk.js';
import { Damage } from '../damage.js';

/** How far a store has got. */
export interface Progress {
  /** Counts the commits of an opening. */
  readonly sequence: number;
  /** The position after the last record of the log. */
  readonly position: number;
}

export interface Checkpoint {
  /** Which store it is, in hex. */
  readonly store: string;
  /** The opening of the store: distinguishes the records of a log from older ones. */
  readonly opening: number;
  /** The crashed opening that this one recovered; its log stays until this one has its own. 0: the store was closed. */
  readonly previous: number;
  readonly progress: Progress;
  /** Whether every later commit is in the log; false after a failed write or sync of the log. */
  readonly logged: boolean;
  /** See `bootId`. */
  readonly boot: string;
  readonly metaPages: Buffer;
}

export const DATA = 'data.mdb';
export const CHECKPOINT = 'checkpoint';

/** Bytes of a slot. Of the two slots, the older one is overwritten. */
const SLOT = 2 ** 18;
/** [checksum of what follows: 4][length of all: 4][store: 16][opening: 4][sequence: 8][position: 8][logged: 1][boot: 16][previous: 4] */
const HEAD = 65;

export class CheckpointFile {
  readonly #file: number;
  #slot = 0;

  /** Replaces an existing file by one that holds `first`, on disk when the constructor returns. */
  constructor(directory: string, first: Checkpoint) {
    const path = join(directory, CHECKPOINT);
    this.#file = openSync(`${path}.new`, 'w+', 0o600);
    this.saveNow(first);
    renameSync(`${path}.new`, path);
    syncDirectory(directory);
  }

  /** Resolves when it is on disk. */
  async save(checkpoint: Checkpoint): Promise<void> {
    const slot = this.#slot;
    this.#write(checkpoint);
    await sync(this.#file);
    // `saveNow` may have overwritten this slot with a newer checkpoint meanwhile.
    if (slot === this.#slot) this.#slot ^= 1;
  }

  saveNow(checkpoint: Checkpoint): void {
    this.#write(checkpoint);
    fdatasyncSync(this.#file);
    this.#slot ^= 1;
  }

  #write({ store, opening, previous, progress, logged, boot, metaPages }: Checkpoint): void {
    const head = Buffer.alloc(HEAD);
    head.writeUInt32LE(HEAD + metaPages.length, 4);
    head.write(store, 8, 16, 'hex');
    head.writeUInt32LE(opening, 24);
    head.writeDoubleLE(progress.sequence, 28);
    head.writeDoubleLE(progress.position, 36);
    head[44] = logged ? 1 : 0;
    head.write(boot, 45, 16, 'hex');
    head.writeUInt32LE(previous, 61);
    const bytes = Buffer.concat([head, metaPages]);
    bytes.writeUInt32LE(crc32(bytes.subarray(4)), 0);
    writeAll(this.#file, bytes, this.#slot * SLOT);
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** Undefined if there is no file. Throws `Damage` if neither slot is intact. */
export function readNewest(directory: string): Checkpoint | undefined {
  const path = join(directory, CHECKPOINT);
  if (!existsSync(path)) return undefined;
  const bytes = readFileSync(path);
  const found = [bytes, bytes.subarray(SLOT)].map(readSlot).filter((slot) => slot !== undefined);
  if (found.length === 0) throw new Damage('no checkpoint in it is whole');
  return found.reduce((one, other) => (other.progress.sequence > one.progress.sequence ? other : one));
}

function readSlot(slot: Buffer): Checkpoint | undefined {
  if (slot.length < HEAD) return undefined;
  const end = slot.readUInt32LE(4);
  if (end <= HEAD || end > slot.length || crc32(slot.subarray(4, end)) !== slot.readUInt32LE(0))
    return undefined;
  return {
    store: slot.toString('hex', 8, 24),
    opening: slot.readUInt32LE(24),
    previous: slot.readUInt32LE(61),
    progress: { sequence: slot.readDoubleLE(28), position: slot.readDoubleLE(36) },
    logged: slot[44] === 1,
    boot: slot.toString('hex', 45, 61),
    metaPages: slot.subarray(HEAD, end),
  };
}
