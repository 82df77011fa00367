/**
 * Runs due jobs on this instance, and takes over jobs whose holder died.
 *
 * A holder proves that it is alive by incrementing the job's `beat`. Watchers time the beats on their own monotonic
 * clocks, so clock skew between machines cannot take a job from a living holder.
 */
import { isStorageError, type Logger, newId } from 'plugboard/sdk';
import type { JobQueue } from './queue.js';
import type { JobRecord } from './record.js';
import { Run, type Handler } from './run.js';

export interface RunnerTimes {
  /** Milliseconds between polls for due jobs. */
  readonly poll: number;
  /** Milliseconds without a beat after which a holder counts as dead. */
  readonly lease: number;
}

type Part = 'look' | 'beat' | 'watch';

export class JobRunner {
  readonly #queue: JobQueue;
  readonly #log: Logger;
  readonly #times: RunnerTimes;
  readonly #holder = newId();
  #handlers: readonly Handler[] = [];
  readonly #running = new Map<Run, { readonly handler: Handler; readonly ended: Promise<void> }>();
  /** For each job that runs elsewhere: the last beat, and when it was first seen (monotonic). */
  readonly #seen = new Map<
    string,
    { readonly holder: string | null; readonly beat: number; readonly at: number }
  >();
  /** The parts whose last attempt failed because the store was unavailable. */
  readonly #refused = new Set<Part>();
  #timers: NodeJS.Timeout[] = [];
  #looking: Promise<void> | undefined;
  #lookAgain = false;
  #state: 'waiting' | 'started' | 'stopped' = 'waiting';

  constructor(queue: JobQueue, log: Logger, times: RunnerTimes) {
    this.#queue = queue;
    this.#log = log;
    this.#times = times;
  }

  handles({ owner, name }: Pick<Handler, 'owner' | 'name'>): boolean {
    return this.#handlers.some((handler) => owner === handler.owner && name === handler.name);
  }

  handle(handler: Handler): void {
    if (this.handles(handler))
      throw new TypeError(`plugin "${handler.owner}" handles the job "${handler.name}" twice`);
    this.#handlers = [...this.#handlers, handler];
  }

  /** `alone`: no other process uses this store, so every running job was left by one that died. */
  async start(alone: boolean): Promise<void> {
    if (alone) for (const job of await this.#queue.running()) await this.#takeOver(job);
    this.#state = 'started';
    this.#repeat('look', () => this.#look(), this.#times.poll);
    this.#repeat('beat', () => this.#beat(), this.#times.lease / 10);
    this.#repeat('watch', () => this.#watch(), this.#times.lease / 5);
    this.wake();
  }

  /** Polls for due jobs now. */
  wake(): void {
    if (this.#state === 'started') void this.#reported('look', () => this.#look());
  }

  /** Returns the jobs of a plugin that stops or is left out, and claims no more of them. */
  leave(owner: string): void {
    this.#handlers = this.#handlers.filter((handler) => handler.owner !== owner);
    for (const run of this.#running.keys()) if (run.job.owner === owner) run.interrupt('stopped');
  }

  /** Interrupts a run on this instance at once; another instance notices at its next beat. */
  cancel(id: string): void {
    for (const run of this.#running.keys()) if (run.job._id === id) run.interrupt('cancelled');
  }

  /** Aborts all runs, waits until they have ended, and returns their jobs to the queue. */
  async stop(): Promise<void> {
    this.#state = 'stopped';
    for (const timer of this.#timers) clearInterval(timer);
    // The caller of a failed poll has reported it.
    await this.#looking?.catch(() => {});
    for (const run of this.#running.keys()) run.interrupt('stopped');
    await Promise.all([...this.#running.values()].map(({ ended }) => ended));
  }

  /** One poll at a time; a poll requested meanwhile follows it. */
  #look(): Promise<void> {
    this.#lookAgain = this.#looking !== undefined;
    this.#looking ??= this.#takeDue().finally(() => {
      this.#looking = undefined;
      if (this.#lookAgain) this.wake();
    });
    return this.#looking;
  }

  async #takeDue(): Promise<void> {
    const free = this.#handlers.filter((handler) => this.#runsOf(handler) < handler.concurrency);
    const due = await this.#queue.due(free);
    for (const handler of free) {
      if (!due.some(({ owner, name }) => owner === handler.owner && name === handler.name)) continue;
      while (this.#state === 'started' && this.#runsOf(handler) < handler.concurrency) {
        const job = await this.#queue.claim(handler, this.#holder);
        if (job === null) break;
        this.#run(job, handler);
      }
    }
  }

  #run(job: JobRecord, handler: Handler): void {
    const run = new Run(job, handler, this.#queue, this.#log);
    const ended = this.#reported('look', () => run.toEnd()).then(() => {
      this.#running.delete(run);
      this.wake();
    });
    this.#running.set(run, { handler, ended });
  }

  async #beat(): Promise<void> {
    await Promise.all([...this.#running.keys()].map((run) => run.beat()));
  }

  async #watch(): Promise<void> {
    const now = performance.now();
    // Includes jobs of this instance whose outcome could not be stored: nobody increments their beat any more.
    const here = new Set([...this.#running.keys()].map(({ job }) => job._id));
    const jobs = (await this.#queue.running()).filter(({ _id }) => !here.has(_id));
    const known = new Set(jobs.map(({ _id }) => _id));
    for (const id of this.#seen.keys()) if (!known.has(id)) this.#seen.delete(id);
    for (const job of jobs) {
      const { _id: id, holder, beat } = job;
      const seen = this.#seen.get(id);
      if (seen === undefined || seen.holder !== holder || seen.beat !== beat)
        this.#seen.set(id, { holder, beat, at: now });
      else if (now - seen.at >= this.#times.lease) await this.#takeOver(job);
    }
  }

  /** A job whose process died on its last attempt is not retried: it may be what kills the process. */
  async #takeOver(job: JobRecord): Promise<void> {
    this.#seen.delete(job._id);
    const handler = this.#handlers.find(({ owner, name }) => owner === job.owner && name === job.name);
    const exhausted = handler !== undefined && job.attempt >= handler.attempts;
    if (!(await this.#queue.takeFrom(job, exhausted))) return;
    const { _id, owner, name, attempt } = job;
    this.#log.warn({ job: _id, owner, name, attempt }, 'took over a job whose process died');
    this.wake();
  }

  #runsOf(handler: Handler): number {
    return [...this.#running.values()].filter((running) => running.handler === handler).length;
  }

  #repeat(part: Part, work: () => Promise<void>, interval: number): void {
    let busy = false;
    const timer = setInterval(() => {
      if (busy) return;
      busy = true;
      void this.#reported(part, work).finally(() => {
        busy = false;
      });
    }, interval);
    timer.unref();
    this.#timers.push(timer);
  }

  /** An unavailable store is logged once; the next beat or poll tries again. */
  async #reported(part: Part, work: () => Promise<void>): Promise<void> {
    try {
      await work();
      if (this.#refused.delete(part) && this.#refused.size === 0)
        this.#log.info('jobs can be read and stored again');
    } catch (error) {
      if (this.#state === 'stopped') return;
      if (!isStorageError(error, 'unavailable'))
        return this.#log.error({ err: error }, 'jobs cannot be read or stored');
      if (this.#refused.size === 0)
        this.#log.error(`jobs wait until the store can be used again: ${error.message}`);
      this.#refused.add(part);
    }
  }
}
