/**
 * The time of one request: what the processor worked for it, and what it waited for a store that is another process.
 * The turns of other requests and a client that reads slowly are neither.
 */
import { turnTime } from 'plugboard/sdk';

/** How many requests a store in this process works for: what it does is not told apart, and each has its share. */
export interface Load {
  requests: number;
}

export class TimeSpent {
  /** Milliseconds. */
  #worked = 0;
  #waited = 0;
  readonly #load: Load | undefined;
  #since = performance.now();
  #processorSince = processorTime();
  #resting = false;

  /** Without `load` the store is another process. */
  constructor(load?: Load) {
    this.#load = load;
  }

  get worked(): number {
    return this.#worked;
  }

  get waited(): number {
    return this.#waited;
  }

  /** Counts what has passed since the last mark. `own`: the request itself has been at work in this turn of the loop. */
  mark(own: boolean): void {
    if (this.#resting) return;
    const wall = performance.now() - this.#since;
    // Of the whole process: a machine that is busy with others counts for nothing, and garbage is collected beside it.
    const processor = Math.min(wall, processorTime() - this.#processorSince);
    const turn = own ? Math.min(wall, turnTime()) : 0;
    const worked = Math.min(processor, turn);
    this.#worked += worked;
    if (this.#load === undefined) this.#waited += wall - turn;
    else this.#worked += (processor - worked) / Math.max(1, this.#load.requests);
    this.skip();
  }

  /** What has passed since the last mark counts for nothing. */
  skip(): void {
    this.#since = performance.now();
    this.#processorSince = processorTime();
  }

  rest(): void {
    this.mark(true);
    this.#resting = true;
  }

  resume(): void {
    if (!this.#resting) return;
    this.#resting = false;
    this.skip();
  }
}

function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
