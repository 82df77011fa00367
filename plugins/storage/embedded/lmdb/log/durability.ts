/**
 * Makes commits survive a crash of the machine although lmdb never waits for the disk: a commit is durable once the
 * log is synced, and in the data file from the next checkpoint on. A read transaction holds the state of the newest
 * checkpoint, so lmdb reuses none of its pages before the next checkpoint is on disk.
 */
import { closeSync, fdatasyncSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { TransactionFlags, type RootDatabase } from 'lmdb';
import { CheckpointFile, DATA, type Checkpoint, type Progress } from './checkpoint.js';
import { readMetaPages } from '../pages/data-file.js';
import { sync } from './disk.js';
import type { HeldReads } from '../held-reads.js';
import type { Recording } from './record.js';
import { CAPACITY, WriteAheadLog } from './write-ahead-log.js';

const { ABORTABLE, SYNCHRONOUS_COMMIT, NO_SYNC_FLUSH } = TransactionFlags;
export const UNSYNCED: TransactionFlags = ABORTABLE | SYNCHRONOUS_COMMIT | NO_SYNC_FLUSH;

/** Bytes of log after which a checkpoint is made. */
const BYTES = CAPACITY / 4;
/** How often an idle store is checkpointed, in ms. */
const REST = 2000;

/** A state whose pages lmdb does not reuse until it is released. */
export interface Held extends Checkpoint {
  release(): void;
}

export interface DurabilityOptions {
  readonly directory: string;
  /** Whether callers wait for the disk: then the sync starts while lmdb commits. */
  readonly sync: boolean;
  readonly root: RootDatabase<Buffer, Buffer>;
  readonly reads: HeldReads;
  readonly identity: Pick<Checkpoint, 'store' | 'opening' | 'previous'>;
  /** Commits after which a checkpoint is made. */
  readonly checkpointEvery: number;
  readonly boot: string;
}

export class Durability {
  readonly #sync: boolean;
  readonly #root: RootDatabase<Buffer, Buffer>;
  readonly #reads: HeldReads;
  readonly #identity: DurabilityOptions['identity'];
  readonly #log: WriteAheadLog;
  readonly #file: CheckpointFile;
  readonly #data: number;
  readonly #pageSize: number;
  readonly #checkpointEvery: number;
  readonly #timer: NodeJS.Timeout;
  readonly #boot: string;
  /** As of the last commit. */
  #progress: Progress = { sequence: 0, position: 0 };
  /** The last commit that is not in the log: later commits are durable only after a checkpoint that includes it. */
  #unlogged = 0;
  /** The current commit and the position of its record. */
  #next: { progress: Progress; unlogged: number; record: number | undefined } | undefined;
  /** The sync of the last record that was written. */
  #syncing: Promise<void> | undefined;
  /** The last commit that is known to be on disk. */
  #durable = 0;
  #checkpoint: Progress = { sequence: -1, position: 0 };
  #held: Held | undefined;
  #running: Promise<void> | undefined;
  #logFailed = false;

  /** Syncs and holds the current state, and starts counting commits. */
  constructor({ directory, sync, root, reads, identity, checkpointEvery, boot }: DurabilityOptions) {
    this.#sync = sync;
    this.#root = root;
    this.#reads = reads;
    this.#identity = identity;
    this.#checkpointEvery = checkpointEvery;
    this.#boot = boot;
    this.#pageSize = (root.getStats() as { pageSize: number }).pageSize;
    this.#data = openSync(join(directory, DATA), 'r+');
    // The log left by a crash is needed until a checkpoint includes all of it.
    const newLog = identity.previous === 0 ? WriteAheadLog.create(directory, identity) : undefined;
    const state = this.hold();
    this.#file = new CheckpointFile(directory, state);
    this.#log = newLog ?? WriteAheadLog.create(directory, identity);
    this.#saved(state);
    this.#timer = setInterval(() => this.#rest(), REST).unref();
  }

  /** Logs a write transaction, as its last step before the commit. */
  record(recording: Recording): void {
    const sequence = this.#progress.sequence + 1;
    const unlogged = { progress: { ...this.#progress, sequence }, unlogged: sequence, record: undefined };
    this.#next = unlogged;
    if (this.#logFailed || this.#write(recording, sequence)) return;
    // An empty record marks the gap: recovery must not replay later records as if nothing were missing.
    recording.begin();
    this.#write(recording, sequence);
    this.#next = { ...this.#next, unlogged: sequence };
  }

  #write(recording: Recording, sequence: number): boolean {
    if (recording.tooLarge) return false;
    const record = recording.finish(this.#identity.opening, sequence, this.#durable);
    const start = this.#log.place(this.#progress.position, record.length);
    const position = start + record.length;
    if (!this.#log.hasRoom(position, this.#checkpoint.position, recording)) return false;
    this.#next = { progress: { sequence, position }, unlogged: this.#unlogged, record: start };
    this.#log.write(start, record);
    if (this.#sync) this.#beginSync();
    return true;
  }

  /** The sync overlaps with the commit of lmdb. */
  #beginSync(): void {
    this.#syncing = this.#log.sync();
    this.#syncing.catch(() => {});
  }

  /** Called after a commit. Returns its sequence number; undefined if it changed nothing. */
  committed(): number | undefined {
    if (this.#next === undefined) return undefined;
    this.#progress = this.#next.progress;
    this.#unlogged = this.#next.unlogged;
    this.#next = undefined;
    const { sequence, position } = this.#progress;
    const commits = sequence - this.#checkpoint.sequence;
    if (commits >= this.#checkpointEvery || position - this.#checkpoint.position >= BYTES)
      this.checkpoint().catch(() => {});
    return sequence;
  }

  /** Called after a failed transaction. */
  failed(): void {
    const record = this.#next?.record;
    this.#next = undefined;
    if (record !== undefined) this.#log.erase(record);
  }

  /** Resolves when every commit so far is durable; undefined if there is nothing to wait for. */
  settle(): Promise<void> | undefined {
    // Without `sync` a crash of the process must still lose nothing: commits missing from the log wait for a checkpoint.
    if (!this.#sync && this.#unlogged <= this.#checkpoint.sequence) return undefined;
    return this.#settle(this.#progress.sequence, this.#unlogged, this.#syncing);
  }

  async #settle(sequence: number, unlogged: number, syncing: Promise<void> | undefined): Promise<void> {
    if (sequence <= this.#durable) return;
    if (unlogged <= this.#checkpoint.sequence && !this.#logFailed) {
      try {
        await (syncing ?? this.#log.sync());
        this.#durable = Math.max(this.#durable, sequence);
        return;
      } catch {
        // After a failed sync the state of the log on disk is unknown: from now on only checkpoints count.
        this.#logFailed = true;
      }
    }
    while (this.#checkpoint.sequence < sequence) await this.checkpoint();
  }

  /** The synchronous `settle`. */
  settleNow(): void {
    const { sequence } = this.#progress;
    if (sequence <= this.#durable) return;
    if (this.#unlogged > this.#checkpoint.sequence || this.#logFailed) this.checkpointNow();
    else if (this.#sync) {
      this.#log.syncNow();
      this.#durable = sequence;
    }
  }

  /** Resolves when a state at least as new as the call is on disk and held. */
  checkpoint(): Promise<void> {
    return (this.#running ??= this.#save().finally(() => (this.#running = undefined)));
  }

  async #save(): Promise<void> {
    const state = this.hold();
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
    const state = this.hold();
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

  /** Holds the newest state. Not inside a write transaction. */
  hold(): Held {
    this.#root.resetReadTxn();
    const read = this.#reads.begin();
    return {
      ...this.#identity,
      progress: this.#progress,
      logged: !this.#logFailed,
      boot: this.#boot,
      metaPages: readMetaPages(this.#data, this.#pageSize),
      release: () => read.release(),
    };
  }

  #saved(state: Held): void {
    const { progress } = state;
    if (progress.sequence < this.#checkpoint.sequence) return state.release();
    this.#held?.release();
    this.#held = state;
    this.#checkpoint = progress;
    this.#durable = Math.max(this.#durable, progress.sequence);
  }

  #rest(): void {
    if (this.#running === undefined && this.#progress.sequence > this.#checkpoint.sequence)
      this.checkpoint().catch(() => {});
  }

  /** Makes a last checkpoint. Returns whether the data file has every commit. */
  async stop(): Promise<boolean> {
    clearInterval(this.#timer);
    await this.#running?.catch(() => {});
    if (this.#progress.sequence > this.#checkpoint.sequence) await this.checkpoint().catch(() => {});
    this.#held?.release();
    this.#held = undefined;
    return this.#progress.sequence <= this.#checkpoint.sequence;
  }

  /** After `stop`, with lmdb closed. */
  close(): void {
    closeSync(this.#data);
    this.#log.close();
    this.#file.close();
  }

  /** The number of commits so far. */
  get sequence(): number {
    return this.#progress.sequence;
  }
}
