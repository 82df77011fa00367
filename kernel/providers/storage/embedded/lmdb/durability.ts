/**
 * What makes a commit outlive a crash of the machine, while lmdb itself never waits for the disk: its commits are
 * in a log with a sync of one file, and in the data file from the next checkpoint on. No page of a checkpoint is
 * used again before the next one is on disk, because a reader of that state holds it.
 */
import { randomInt } from 'node:crypto';
import { closeSync, existsSync, fdatasyncSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { TransactionFlags, type RootDatabase, type Transaction } from 'lmdb';
import { CheckpointFile, DATA, readMetaPages, removeCheckpoints, type Checkpoint } from './checkpoint.js';
import { sync } from './disk.js';
import type { KeySpace } from './key-space.js';
import { readProgress, readSequence, START, writeProgress, type Progress } from './progress.js';
import { CAPACITY, LOG, WriteAheadLog, type Operation, type Recording } from './write-ahead-log.js';

const { ABORTABLE, SYNCHRONOUS_COMMIT, NO_SYNC_FLUSH } = TransactionFlags;
const SYNCED: TransactionFlags = ABORTABLE | SYNCHRONOUS_COMMIT;
export const UNSYNCED: TransactionFlags = SYNCED | NO_SYNC_FLUSH;

/** A checkpoint is made behind so many bytes of log. */
const BYTES = CAPACITY / 4;
/** How often a process that writes little makes one, in ms; one that does not write lets go of its own. */
const REST = 2000;

/** A state that is held: none of its pages is used again. */
interface Held extends Checkpoint {
  release(): void;
}

export interface DurabilityOptions {
  readonly directory: string;
  /** Whether commits are waited for: then the disk begins before lmdb has ended. */
  readonly sync: boolean;
  readonly root: RootDatabase<Buffer, Buffer>;
  readonly catalog: KeySpace;
  /** Behind how many commits a checkpoint is made. */
  readonly checkpointEvery: number;
  /** Told when reads go on in another state than before. */
  moved(this: void): void;
}

export class Durability {
  readonly #directory: string;
  readonly #sync: boolean;
  readonly #root: RootDatabase<Buffer, Buffer>;
  readonly #catalog: KeySpace;
  readonly #log: WriteAheadLog;
  readonly #file: CheckpointFile;
  readonly #data: number;
  readonly #pageSize: number;
  readonly #checkpointEvery: number;
  readonly #moved: () => void;
  readonly #timer: NodeJS.Timeout;
  /** As of the last commit of this process. */
  #progress = START;
  /** The commit that is under way, and where its record is. */
  #next: { progress: Progress; record: number | undefined } | undefined;
  /** The sync of the last record that was written. */
  #syncing: Promise<void> | undefined;
  /** The last commit that is known to be on disk. */
  #durable = 0;
  /** The newest checkpoint of this process. */
  #checkpoint: Progress = { ...START, sequence: -1 };
  #held: Held | undefined;
  #running: Promise<void> | undefined;
  #logFailed = false;
  #rested = -1;

  constructor({ directory, sync, root, catalog, checkpointEvery, moved }: DurabilityOptions) {
    this.#directory = directory;
    this.#sync = sync;
    this.#root = root;
    this.#catalog = catalog;
    this.#checkpointEvery = checkpointEvery;
    this.#moved = moved;
    this.#pageSize = (root.getStats() as { pageSize: number }).pageSize;
    this.#data = openSync(join(directory, DATA), 'r+');
    this.#log = new WriteAheadLog(directory);
    this.#file = new CheckpointFile(directory);
    this.#timer = setInterval(() => this.#rest(), REST).unref();
  }

  /** Behind a crash, before anybody writes: what the log has beyond the state that was put back. */
  recover(apply: (operation: Operation) => void): void {
    this.#root.transactionSync(() => {
      const { sequence, position, epoch } = readProgress(this.#catalog);
      let last = sequence;
      for (const { operations } of this.#log.read(position, epoch, sequence)) {
        for (const operation of operations) apply(operation);
        last++;
      }
      // The log begins anew: what a crash has left of it must never be taken for something that follows.
      writeProgress(this.#catalog, {
        sequence: last + 1,
        position: 0,
        unlogged: last + 1,
        epoch: randomInt(1, 2 ** 32),
      });
    }, SYNCED);
    this.checkpointNow();
    this.#file.removeOthers();
  }

  /** Whether this process may commit: a process that has not written for a while must make itself ready. */
  get ready(): boolean {
    return this.#held !== undefined;
  }

  /** The last act of a write transaction that began at `before`: its record. */
  record(recording: Recording, before: Progress): void {
    const sequence = before.sequence + 1;
    this.#next = { progress: { ...before, sequence, unlogged: sequence }, record: undefined };
    if (!recording.tooLarge && !this.#logFailed) {
      const record = recording.finish(before.epoch, sequence);
      const start = this.#log.place(before.position, record.length);
      const position = start + record.length;
      if (position - this.#checkpoint.position <= CAPACITY) {
        this.#next = { progress: { ...before, sequence, position }, record: start };
        this.#log.write(start, record);
        if (this.#sync) this.#beginSync();
      }
    }
    writeProgress(this.#catalog, this.#next.progress);
  }

  /** The disk works while lmdb commits. */
  #beginSync(): void {
    this.#syncing = this.#log.sync();
    this.#syncing.catch(() => {});
  }

  /** The transaction has committed. Returns its number; undefined: it has changed nothing. */
  committed(): number | undefined {
    if (this.#next === undefined) return undefined;
    this.#progress = this.#next.progress;
    this.#next = undefined;
    const { sequence, position } = this.#progress;
    const commits = sequence - this.#checkpoint.sequence;
    if (commits >= this.#checkpointEvery || position - this.#checkpoint.position >= BYTES)
      this.checkpoint().catch(() => {});
    return sequence;
  }

  /** The transaction has failed. */
  failed(): void {
    const record = this.#next?.record;
    this.#next = undefined;
    if (record !== undefined) this.#log.erase(record);
  }

  /** Resolves when this process's commits are on disk, and everybody's before them. */
  settle(): Promise<void> {
    return this.#settle(this.#progress, this.#syncing);
  }

  /** The same for everything that can be read, by whichever process. */
  settleLatest(): Promise<void> {
    return this.#settle(readProgress(this.#catalog));
  }

  async #settle({ sequence, unlogged }: Progress, syncing?: Promise<void>): Promise<void> {
    if (sequence <= this.#durable) return;
    if (unlogged <= this.#checkpoint.sequence && !this.#logFailed) {
      try {
        await (syncing ?? this.#log.sync());
        this.#durable = Math.max(this.#durable, sequence);
        return;
      } catch {
        // Nobody knows what such a log has on disk: only checkpoints count from now on.
        this.#logFailed = true;
      }
    }
    while (this.#checkpoint.sequence < sequence) await this.checkpoint();
  }

  /** As `settle`, on the spot. */
  settleNow(): void {
    const { sequence, unlogged } = this.#progress;
    if (sequence <= this.#durable) return;
    if (unlogged > this.#checkpoint.sequence || this.#logFailed) this.checkpointNow();
    else {
      this.#log.syncNow();
      this.#durable = sequence;
    }
  }

  /** Resolves when a state that is as new as the call is whole on disk, and held. */
  checkpoint(): Promise<void> {
    return (this.#running ??= this.#save().finally(() => (this.#running = undefined)));
  }

  async #save(): Promise<void> {
    const state = this.#hold();
    try {
      if (state.progress.sequence > this.#checkpoint.sequence) {
        await sync(this.#data);
        if (state.progress.sequence > this.#checkpoint.sequence) await this.#file.save(state);
      }
    } catch (error) {
      state.release();
      throw error;
    }
    this.#saved(state);
  }

  checkpointNow(): void {
    const state = this.#hold();
    try {
      if (state.progress.sequence > this.#checkpoint.sequence) {
        fdatasyncSync(this.#data);
        this.#file.saveNow(state);
      }
    } catch (error) {
      state.release();
      throw error;
    }
    this.#saved(state);
  }

  #hold(): Held {
    let held: Held | undefined;
    // Nobody else commits meanwhile: the pages and the reader are of one state.
    this.#root.transactionSync(() => {
      const reader: Transaction = this.#root.useReadTransaction();
      held = {
        progress: readProgress(this.#catalog),
        metaPages: readMetaPages(this.#data, this.#pageSize),
        release: () => reader.done(),
      };
    }, UNSYNCED);
    this.#moved();
    return held!;
  }

  #saved(state: Held): void {
    const { progress } = state;
    if (progress.sequence < this.#checkpoint.sequence) return state.release();
    this.#held?.release();
    this.#held = state;
    this.#checkpoint = progress;
    this.#durable = Math.max(this.#durable, progress.sequence);
    if (progress.sequence > this.#progress.sequence) this.#progress = progress;
  }

  #rest(): void {
    const { sequence } = this.#progress;
    if (this.#running !== undefined) return;
    if (sequence > this.#checkpoint.sequence) this.checkpoint().catch(() => {});
    else if (sequence === this.#rested) this.#letGo();
    this.#rested = sequence;
  }

  #letGo(): void {
    this.#held?.release();
    this.#held = undefined;
  }

  /** Lets the data file have everything. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running?.catch(() => {});
    if (this.#progress.sequence > this.#checkpoint.sequence) await this.checkpoint().catch(() => {});
    this.#letGo();
  }

  /** Behind `stop`, with lmdb closed. `last`: nobody else has the store open; its data file shall stand alone. */
  close(last: boolean): void {
    try {
      if (last && existsSync(this.#directory)) {
        fdatasyncSync(this.#data);
        removeCheckpoints(this.#directory);
        rmSync(join(this.#directory, LOG), { force: true });
      }
    } finally {
      closeSync(this.#data);
      this.#log.close();
      this.#file.close();
    }
  }

  /** In the state that is read now; within a write transaction in its own. */
  progress(): Progress {
    return readProgress(this.#catalog);
  }

  /** How many commits that state has. */
  get sequence(): number {
    return readSequence(this.#catalog);
  }
}
