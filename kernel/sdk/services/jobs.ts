/**
 * Jobs: work that is long or comes later, kept in storage. A job survives the process that runs it, is run by one
 * instance of a deployment at a time, and is tried again when it fails. Names and keys are each plugin's own.
 */
import type { Logger } from '../plugin/logger.js';
import type { Carried } from '../plugin/hooks.js';

export interface Jobs {
  /**
   * Says what runs the jobs of this name; call it in `setup`, once for each name. Jobs run once the server
   * has started. A job may run again from its last checkpoint after a crash, so what it does must bear repeating.
   */
  handle<I = undefined, C = unknown>(name: string, handler: JobHandler<I, C>, options?: JobOptions): void;

  /**
   * Adds a job and answers it. One key, one job: while a job with this name and key is waiting or running it is
   * answered instead: it takes over `every`, and `input` and `at` are ignored. Durable when the promise resolves.
   */
  add(name: string, request?: JobRequest): Promise<Job>;

  /** Cancels a job that waits, and aborts the `signal` of one that runs. False when there is none or it has ended. */
  cancel(id: string): Promise<boolean>;

  get(id: string): Promise<Job | null>;
  /** This plugin's jobs, the newest first; at most 100. */
  list(filter?: { readonly name?: string; readonly state?: JobState }): Promise<readonly Job[]>;
}

/** Throws to be tried again; what it resolves to is kept as the job's `result` (JSON, small). */
export type JobHandler<I, C = unknown> = (run: JobRun<I, C>) => unknown;

export interface JobRun<I, C = unknown> {
  readonly id: string;
  readonly input: I;
  /** Counts from 1. */
  readonly attempt: number;
  /** What `save` stored last, by this run or by one before it; undefined at first. */
  readonly checkpoint: C | undefined;
  /** Of the request that added it. */
  readonly carried?: Carried;
  /** Aborted when the job is cancelled, its lease is lost or the server stops. Throw its reason to end. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** Says how far the job is. Cheap: it is stored with each checkpoint, and every tenth of the lease. `total` null: not known. */
  progress(done: number, total?: number | null): void;
  /** Stores where to go on after a crash (JSON, small). Throws when the lease was lost: stop then. */
  save(checkpoint: C): Promise<void>;
}

export interface JobOptions {
  /** How often a job is tried in all; the death of its process counts, a checkpoint starts the count again. Default: 5. */
  readonly attempts?: number;
  /** Milliseconds before the second attempt; each later one waits twice as long, at most an hour. Default: 1,000. */
  readonly backoff?: number;
  /** How many jobs of this name one instance runs at a time. Default: 1. */
  readonly concurrency?: number;
}

export interface JobRequest {
  /** Default: the name, so that all jobs of one name are one. */
  readonly key?: string;
  /** JSON, at most 64 kB. */
  readonly input?: unknown;
  /** When it may start. Default: now. */
  readonly at?: Date;
  /** Milliseconds between the end of a run and the start of the next: a job that repeats for ever. */
  readonly every?: number;
  /**
   * Asks for a run that begins after this call: a job that waits for its next round runs now, one that is running
   * runs once more when it ends, one that failed keeps its wait. For jobs that work off what is marked elsewhere.
   */
  readonly again?: boolean;
  /** Of the work that asks for it, for whoever observes; the kernel sets it. Kept with the job. */
  readonly carried?: Carried;
}

export type JobState = 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';

export interface Job {
  readonly id: string;
  /** The plugin instance that it belongs to. */
  readonly owner: string;
  readonly name: string;
  readonly key: string;
  readonly state: JobState;
  readonly attempt: number;
  readonly done: number;
  readonly total: number | null;
  /** What the handler returned. */
  readonly result: unknown;
  /** The message of the last failure. */
  readonly error: string | null;
  /** When it runs next; null when it is running or has ended. */
  readonly at: Date | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
}
