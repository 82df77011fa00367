/** Background work that one instance of a deployment does at a time: when poked, at intervals, and again after a failure. */
import type { Lease, Logger } from 'plugboard/sdk';

/** How long a lease lasts without renewal; a holder renews every third of it. */
export const LEASE_MS = 15_000;
/** How soon to look again while another instance holds the lease. */
const HELD_MS = 500;
const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 60_000;

export interface BackgroundJob {
  /** Whether there is anything to do: asked first, because taking a lease is two writes. */
  wanted(): Promise<boolean>;
  /** Does all there is to do; ends early when aborted. */
  drain(signal: AbortSignal): Promise<void>;
}

export interface LoopOptions {
  readonly name: string;
  readonly job: BackgroundJob;
  readonly lease: Lease;
  /** Milliseconds between two runs without a poke. */
  readonly interval: number;
  readonly log: Logger;
}

export class LeasedLoop {
  readonly #options: LoopOptions;
  readonly #stopping = new AbortController();
  #poked = false;
  #wake: () => void = () => {};
  #loop: Promise<void> = Promise.resolve();

  constructor(options: LoopOptions) {
    this.#options = options;
  }

  start(): void {
    this.#loop = this.#run();
  }

  /** There is something to do. A poke during a run leads to another one. */
  poke(): void {
    this.#poked = true;
    this.#wake();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#wake();
    await this.#loop;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    let wait = 0;
    let retry = FIRST_RETRY_MS;
    while (!signal.aborted) {
      await this.#sleep(wait, wait >= this.#options.interval);
      if (signal.aborted) return;
      this.#poked = false;
      try {
        const ran = await this.#underLease();
        wait = ran ? this.#options.interval : HELD_MS;
        retry = FIRST_RETRY_MS;
      } catch (error) {
        if (signal.aborted) return;
        this.#options.log.warn({ err: error }, `${this.#options.name} failed; trying again in ${retry} ms`);
        wait = Math.min(retry, this.#options.interval);
        retry = Math.min(retry * 2, LAST_RETRY_MS);
      }
    }
  }

  /** False: another instance is at it. */
  async #underLease(): Promise<boolean> {
    const { lease, job } = this.#options;
    if (!(await job.wanted())) return true;
    if (!(await lease.acquire())) return false;
    const lost = new AbortController();
    const renewal = setInterval(() => {
      lease.acquire().then(
        (held) => held || lost.abort(),
        () => lost.abort(),
      );
    }, LEASE_MS / 3);
    try {
      await job.drain(AbortSignal.any([this.#stopping.signal, lost.signal]));
    } finally {
      clearInterval(renewal);
      await lease.release().catch(() => {});
    }
    return true;
  }

  /** A poke cuts the wait for the next interval short, but not the wait after a failure. */
  #sleep(milliseconds: number, wakeable: boolean): Promise<void> {
    if (milliseconds === 0 || (wakeable && this.#poked)) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(done, milliseconds);
      const stopped = this.#stopping.signal;
      this.#wake = () => {
        if (wakeable || stopped.aborted) done();
      };
      function done(): void {
        clearTimeout(timer);
        resolve();
      }
    });
  }
}
