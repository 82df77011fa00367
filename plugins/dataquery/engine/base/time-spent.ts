/**
 * The time of one request: processor time spent on it, and time spent waiting for a store in another process. Other
 * requests' turns and slow clients count as neither.
 */
import { turnTime } from 'plugboard/sdk';

/** How many requests a store in this process works for: its work cannot be told apart, so each gets a share. */
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

  /** Counts the time since the last mark. `own`: the request itself ran in this turn of the loop. */
  mark(own: boolean): void {
    if (this.#resting) return;
    const wall = performance.now() - this.#since;
    // Of the whole process: load from other processes does not count, and garbage collection runs in parallel.
    const processor = Math.min(wall, processorTime() - this.#processorSince);
    const turn = own ? Math.min(wall, turnTime()) : 0;
    const worked = Math.min(processor, turn);
    this.#worked += worked;
    if (this.#load === undefined) this.#waited += wall - turn;
    else this.#worked += (processor - worked) / Math.max(1, this.#load.requests);
    this.skip();
  }

  /** Ignores the time since the last mark. */
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
