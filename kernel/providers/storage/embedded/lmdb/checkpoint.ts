/**
 * States of the store that are whole on disk. What tells lmdb which pages make up a state are its two meta pages:
 * a checkpoint keeps a copy of them, and whoever puts the copy back has that state again, provided that no page
 * of it was used for something else meanwhile.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, fdatasyncSync, openSync, readdirSync, readFileSync, readSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { sync, syncDirectory, writeAll } from './disk.js';
import { decodeProgress, encodeProgress, PROGRESS_BYTES, type Progress } from './progress.js';

export interface Checkpoint {
  readonly progress: Progress;
  readonly metaPages: Buffer;
}

export const DATA = 'data.mdb';

export function readMetaPages(data: number, pageSize: number): Buffer {
  const pages = Buffer.allocUnsafe(2 * pageSize);
  readSync(data, pages, 0, pages.length, 0);
  return pages;
}

const PREFIX = 'checkpoint-';
/** One is written over while the other one counts. */
const SLOT = 2 ** 18;
/** [checksum of what follows: 4][length of the meta pages: 4][progress][meta pages] */
const HEAD = 8 + PROGRESS_BYTES;

/** The checkpoints of one process, in a file of its own: processes need not agree on who writes. */
export class CheckpointFile {
  readonly #directory: string;
  readonly #name = PREFIX + randomUUID();
  #file: number | undefined;
  #slot = 0;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Resolves when it is on disk. */
  async save(checkpoint: Checkpoint): Promise<void> {
    const file = this.#opened();
    const slot = this.#slot;
    this.#write(file, checkpoint);
    await sync(file);
    // Meanwhile `saveNow` may have written a newer one over it.
    if (slot === this.#slot) this.#slot ^= 1;
  }

  saveNow(checkpoint: Checkpoint): void {
    const file = this.#opened();
    this.#write(file, checkpoint);
    fdatasyncSync(file);
    this.#slot ^= 1;
  }

  /** Only those who write have a file. It must be found after a crash, and so must the others of the store. */
  #opened(): number {
    if (this.#file === undefined) {
      this.#file = openSync(join(this.#directory, this.#name), 'wx', 0o600);
      syncDirectory(this.#directory);
    }
    return this.#file;
  }

  #write(file: number, { progress, metaPages }: Checkpoint): void {
    const head = Buffer.allocUnsafe(HEAD);
    head.writeUInt32LE(metaPages.length, 4);
    encodeProgress(progress).copy(head, 8);
    const bytes = Buffer.concat([head, metaPages]);
    bytes.writeUInt32LE(crc32(bytes.subarray(4)), 0);
    writeAll(file, bytes, this.#slot * SLOT);
  }

  /** Removes those of other processes: of none that has the store open. */
  removeOthers(): void {
    for (const name of checkpointNames(this.#directory))
      if (name !== this.#name) rmSync(join(this.#directory, name));
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
  }
}

/** Puts the newest checkpoint back; only for a store that nobody has open. False: there is none. */
export function restoreNewest(directory: string): boolean {
  let newest: Checkpoint | undefined;
  for (const name of checkpointNames(directory))
    for (const checkpoint of readSlots(readFileSync(join(directory, name))))
      if (newest === undefined || checkpoint.progress.sequence > newest.progress.sequence)
        newest = checkpoint;
  if (newest === undefined) return false;
  const data = openSync(join(directory, DATA), 'r+');
  try {
    writeAll(data, newest.metaPages, 0);
    fdatasyncSync(data);
  } finally {
    closeSync(data);
  }
  return true;
}

/** A store whose files are whole needs none. */
export function removeCheckpoints(directory: string): void {
  const names = checkpointNames(directory);
  for (const name of names) rmSync(join(directory, name));
  if (names.length > 0) syncDirectory(directory);
}

function checkpointNames(directory: string): string[] {
  return readdirSync(directory).filter((name) => name.startsWith(PREFIX));
}

function* readSlots(bytes: Buffer): Generator<Checkpoint, void> {
  for (const slot of [bytes, bytes.subarray(SLOT)]) {
    if (slot.length < HEAD) continue;
    const end = HEAD + slot.readUInt32LE(4);
    if (end > slot.length || crc32(slot.subarray(4, end)) !== slot.readUInt32LE(0)) continue;
    yield { progress: decodeProgress(slot.subarray(8)), metaPages: slot.subarray(HEAD, end) };
  }
}
