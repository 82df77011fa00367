/** How many seconds clients should wait between polls: the busier this process, the more. */
import { performance, type EventLoopUtilization } from 'node:perf_hooks';

/** Below half of the event loop's time, the interval is the configured one. */
const CALM = 0.5;
const SAMPLE_MILLISECONDS = 1_000;
/** Weight of the newest sample: the last few seconds count. */
const WEIGHT = 0.3;

export interface Utilization {
  /** For the time since `before`, from 0 to 1. */
  since(before: EventLoopUtilization): number;
  now(): EventLoopUtilization;
}

const eventLoop: Utilization = {
  since: (before) => performance.eventLoopUtilization(before).utilization,
  now: () => performance.eventLoopUtilization(),
};

export class PollInterval {
  readonly #base: number;
  readonly #most: number;
  readonly #source: Utilization;
  #sampledAt = -Infinity;
  #sample: EventLoopUtilization;
  #load = 0;

  constructor(
    { base, most }: { readonly base: number; readonly most: number },
    source: Utilization = eventLoop,
  ) {
    this.#base = base;
    this.#most = most;
    this.#source = source;
    this.#sample = source.now();
  }

  /** Whole seconds. Measured on request, at `now` in milliseconds: without polls no timer runs. */
  seconds(now: number): number {
    if (Math.abs(now - this.#sampledAt) >= SAMPLE_MILLISECONDS) {
      this.#load += WEIGHT * (this.#source.since(this.#sample) - this.#load);
      this.#sample = this.#source.now();
      this.#sampledAt = now;
    }
    // Waiting times grow as 1 / (1 - load); so does the interval, which lowers the load.
    const factor = this.#load <= CALM ? 1 : (1 - CALM) / Math.max(1 - this.#load, 0.001);
    return Math.min(Math.max(this.#base, this.#most), Math.round(this.#base * factor));
  }
}
