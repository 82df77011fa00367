/**
 * Background work as a job: one instance of a deployment works off marks in the storage, periodically and soon after a
 * nudge.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock, JobRun, Jobs, Logger } from 'plugboard/sdk';

/** Attempts before the work waits for its next round. */
const ATTEMPTS = 5;
const FIRST_RETRY_MS = 500;
/** A run waits this long for more work before it ends, so that consecutive writes share it. */
const LINGER_MS = 200;

/** The part of a job run that background work uses. */
export type WorkRun = Pick<JobRun<undefined>, 'checkpoint' | 'signal' | 'progress' | 'save'>;

export interface MarkedWorkOptions {
  readonly jobs: Jobs;
  /** Of the job. */
  readonly name: string;
  /** Milliseconds between rounds without a nudge. */
  readonly every: number;
  readonly clock: Clock;
  readonly log: Logger;
  /** Aborted when the plugin stops: no job can be requested then. */
  readonly signal: AbortSignal;
  /** Whether there is work: checked first, because a run costs a few writes. */
  wanted(): Promise<boolean>;
  /** Does all pending work. May be restarted from its last checkpoint. */
  work(run: WorkRun): Promise<unknown>;
}

export class MarkedWork {
  readonly #options: MarkedWorkOptions;
  #nudged = false;
  #asking: Promise<void> | undefined;
  /** This instance has a run that will see current marks. */
  #running = false;
  #more = false;

  constructor(options: MarkedWorkOptions) {
    this.#options = options;
    const { jobs, name } = options;
    jobs.handle<undefined>(name, (run) => this.#run(run), { attempts: ATTEMPTS, backoff: FIRST_RETRY_MS });
  }

  async start(): Promise<void> {
    const { jobs, name, every, clock } = this.#options;
    await jobs.add(name, { every, at: new Date(clock.now() + every) });
    this.nudge();
  }

  /** Something was marked: a run starts after this call. Nudges while a run is being requested share the next one. */
  nudge(): void {
    if (this.#options.signal.aborted) return;
    this.#more = this.#running;
    if (this.#running) return;
    this.#nudged = true;
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
  }

  /** Call after the signal. */
  async close(): Promise<void> {
    await this.#asking;
  }

  async #run(run: WorkRun): Promise<void> {
    this.#running = true;
    try {
      do {
        this.#more = false;
        await this.#options.work(run);
        await sleep(LINGER_MS, undefined, { signal: run.signal });
      } while (this.#more);
    } finally {
      this.#running = false;
      // The run ended before it reached them.
      if (this.#more) this.nudge();
    }
  }

  async #ask(): Promise<void> {
    const { jobs, name, every, log, signal, wanted } = this.#options;
    while (this.#nudged && !signal.aborted) {
      this.#nudged = false;
      try {
        if ((await wanted()) && !signal.aborted) await jobs.add(name, { every, again: true });
      } catch (error) {
        // The mark is stored, so the next round finds it.
        if (signal.aborted) return;
        log.warn({ err: error, job: name }, 'a job could not be asked for; its next round does the work');
      }
    }
  }
}
