/** One run of one job: what the handler sees, its lease, and how the run ends. */
import type { JobHandler, JobRun, Logger } from 'plugboard/sdk';
import type { JobQueue } from './queue.js';
import type { JobRecord, Progress } from './record.js';

export interface Handler {
  readonly owner: string;
  readonly name: string;
  readonly run: JobHandler<never>;
  /** The log of the owner. */
  readonly log: Logger;
  readonly attempts: number;
  readonly backoff: number;
  readonly concurrency: number;
}

const LONGEST_BACKOFF = 3_600_000;

/** Why a run's signal was aborted. */
type Interruption = 'cancelled' | 'lost' | 'stopped';

class Interrupted extends Error {
  override readonly name = 'Interrupted';
  readonly why: Interruption;

  constructor(why: Interruption) {
    super(`the job was ${why === 'lost' ? 'taken by another instance' : why}`);
    this.why = why;
  }
}

export class Run {
  readonly job: JobRecord;
  readonly #handler: Handler;
  readonly #queue: JobQueue;
  readonly #log: Logger;
  readonly #abort = new AbortController();
  #progress: Progress;

  constructor(job: JobRecord, handler: Handler, queue: JobQueue, log: Logger) {
    this.job = job;
    this.#handler = handler;
    this.#queue = queue;
    this.#log = log;
    this.#progress = { done: job.done, total: job.total };
  }

  /** Runs the handler and stores the outcome. Rejects only if the outcome cannot be stored. */
  async toEnd(): Promise<void> {
    try {
      const result = await this.#handler.run(this.#view() as JobRun<never>);
      // A job cancelled just as it completes counts as done; a repeating one must not run again.
      if (this.#interruption() === 'cancelled' && this.job.every !== null)
        await this.#queue.cancelled(this.job);
      else await this.#queue.succeed(this.job, result ?? null, this.#progress);
    } catch (error) {
      await this.#failed(error);
    }
  }

  /** Renews the lease and stores the progress; detects a cancellation or a lost lease. */
  async beat(): Promise<void> {
    const current = await this.#queue.beat(this.job, this.#progress);
    if (current === null) this.interrupt('lost');
    else if (current.cancelled) this.interrupt('cancelled');
  }

  interrupt(why: Interruption): void {
    this.#abort.abort(new Interrupted(why));
  }

  #view(): JobRun<unknown> {
    const { _id: id, input, attempt, checkpoint, carried } = this.job;
    return {
      id,
      input: input ?? undefined,
      attempt,
      checkpoint: checkpoint ?? undefined,
      ...(carried && { carried }),
      signal: this.#abort.signal,
      log: this.#handler.log,
      progress: (done, total = this.#progress.total) => {
        this.#progress = { done, total };
      },
      save: async (state) => {
        this.#abort.signal.throwIfAborted();
        if (await this.#queue.save(this.job, state, this.#progress)) return;
        this.interrupt('lost');
        this.#abort.signal.throwIfAborted();
      },
    };
  }

  async #failed(error: unknown): Promise<void> {
    const why = this.#interruption();
    if (why === 'lost') return;
    if (why === 'cancelled') return this.#queue.cancelled(this.job);
    if (why === 'stopped') return this.#queue.handBack(this.job);
    const message = error instanceof Error ? error.message : String(error);
    // A checkpoint stored by this run has reset the attempts.
    const attempt = (await this.#queue.get(this.job._id))?.attempt ?? this.job.attempt;
    const { owner, name, attempts, backoff } = this.#handler;
    const fields = { job: this.job._id, owner, name, attempt, err: error };
    if (attempt >= attempts) {
      this.#log.error(fields, 'job failed');
      return this.#queue.fail(this.job, message);
    }
    this.#log.warn(fields, 'job failed and is tried again');
    return this.#queue.retry(this.job, message, Math.min(backoff * 2 ** (attempt - 1), LONGEST_BACKOFF));
  }

  #interruption(): Interruption | undefined {
    const reason: unknown = this.#abort.signal.reason;
    return reason instanceof Interrupted ? reason.why : undefined;
  }
}
