/**
 * Jobs: long or delayed work, kept in storage. A job survives the process that runs it, runs on one instance of a
 * deployment at a time, and is retried when it fails. Each plugin has its own names and keys.
 */
import type { Logger } from '../plugin/logger.js';
import type { Carried } from '../plugin/hooks.js';

export interface Jobs {
  /**
   * Registers the handler of a name; call it in `setup`, once per name. Jobs run once the server has started. After a
   * crash a job runs again from its last checkpoint, so its work must bear repeating.
   */
  handle<I = undefined, C = unknown>(name: string, handler: JobHandler<I, C>, options?: JobOptions): void;

  /**
   * Adds a job and returns it. If a job with this name and key is waiting or running, returns that one instead: it
   * adopts `every`, and `input` and `at` are ignored. Durable when the promise resolves.
   */
  add(name: string, request?: JobRequest): Promise<Job>;

  /** Cancels a waiting job, or aborts the `signal` of a running one. False if there is none or it has ended. */
  cancel(id: string): Promise<boolean>;

  get(id: string): Promise<Job | null>;
  /** This plugin's jobs, newest first; at most 100. */
  list(filter?: { readonly name?: string; readonly state?: JobState }): Promise<readonly Job[]>;
}

/** Throw to be retried. The resolved value is kept as the job's `result` (JSON, small). */
export type JobHandler<I, C = unknown> = (run: JobRun<I, C>) => unknown;

export interface JobRun<I, C = unknown> {
  readonly id: string;
  readonly input: I;
  /** Counts from 1. */
  readonly attempt: number;
  /** What `save` stored last, in this run or an earlier one; undefined at first. */
  readonly checkpoint: C | undefined;
  /** Trace context of the request that added it. */
  readonly carried?: Carried;
  /** Aborted when the job is cancelled, its lease is lost or the server stops. Throw its reason to end. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** Reports progress. Cheap: stored with each checkpoint and every tenth of the lease. `total` null: unknown. */
  progress(done: number, total?: number | null): void;
  /** Stores where to resume after a crash (JSON, small). Throws if the lease was lost: stop then. */
  save(checkpoint: C): Promise<void>;
}

export interface JobOptions {
  /** Attempts in all; a crash of the process counts, a checkpoint resets the count. Default: 5. */
  readonly attempts?: number;
  /** Milliseconds before the second attempt; each later one waits twice as long, at most an hour. Default: 1,000. */
  readonly backoff?: number;
  /** How many jobs of this name one instance runs at a time. Default: 1. */
  readonly concurrency?: number;
}

export interface JobRequest {
  /** Default: the name, so there is one job per name. */
  readonly key?: string;
  /** JSON, at most 64 kB. */
  readonly input?: unknown;
  /** When it may start. Default: now. */
  readonly at?: Date;
  /** Makes the job repeat forever: milliseconds from the end of a run to the start of the next. */
  readonly every?: number;
  /**
   * Requests a run that begins after this call: a job waiting for its next round runs now, a running one runs once more
   * when it ends, a failed one keeps its back-off. For jobs that work through what is marked elsewhere.
   */
  readonly again?: boolean;
  /** Trace context of the work that adds it; set by the kernel and kept with the job. */
  readonly carried?: Carried;
}

export type JobState = 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';

export interface Job {
  readonly id: string;
  /** The plugin instance that owns it. */
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
  /** When it runs next; null while it runs and after it has ended. */
  readonly at: Date | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
}
