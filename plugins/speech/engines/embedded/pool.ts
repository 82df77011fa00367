/** A few engine children, and the queue of jobs for them. */
import { EngineError } from '../engine.js';
import { EngineChild, type EngineJob } from './child.js';
import type { Frame } from './frames.js';

type Answer = Frame & { sampleRate: number };

interface Waiting {
  readonly job: EngineJob;
  readonly timeout: number;
  readonly signal: AbortSignal;
  resolve(answer: Answer): void;
  reject(reason: unknown): void;
}

export class EnginePool {
  readonly #program: string;
  readonly #workers: number;
  readonly #idle: EngineChild[] = [];
  readonly #children = new Set<EngineChild>();
  readonly #queue: Waiting[] = [];
  #busy = 0;
  #isClosed = false;

  constructor(program: string, workers: number) {
    this.#program = program;
    this.#workers = workers;
  }

  /** The running processes. */
  get pids(): number[] {
    return Array.from(this.#children).flatMap(({ pid }) => pid ?? []);
  }

  /**
   * Runs the job in the next free child. An aborted `signal` removes it from the queue, or ignores its answer: the
   * child finishes the sentence, about ten milliseconds, and is then free.
   */
  run(job: EngineJob, timeout: number, signal: AbortSignal): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason as Error);
        return;
      }
      const leave = (): void => this.#forget(waiting);
      // All sentences of a call share one signal, so each removes its listener.
      const settled = (): void => signal.removeEventListener('abort', leave);
      const waiting: Waiting = {
        job,
        timeout,
        signal,
        resolve: (answer) => {
          settled();
          resolve(answer);
        },
        reject: (reason) => {
          settled();
          reject(reason as Error);
        },
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#queue.push(waiting);
      this.#next();
    });
  }

  /** Starts all children, so that the first jobs find them ready. */
  warm(): void {
    while (this.#children.size < this.#workers) this.#idle.push(this.#start());
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const waiting of this.#queue.splice(0))
      waiting.reject(new EngineError('failed', 'the server stops'));
    await Promise.all(Array.from(this.#children, (child) => child.close()));
  }

  #forget(waiting: Waiting): void {
    const at = this.#queue.indexOf(waiting);
    if (at >= 0) this.#queue.splice(at, 1);
    waiting.reject(waiting.signal.reason);
  }

  #next(): void {
    while (this.#busy < this.#workers && !this.#isClosed) {
      const waiting = this.#queue.shift();
      if (waiting === undefined) return;
      this.#busy += 1;
      const child = this.#child();
      child
        .run(waiting.job, waiting.timeout)
        .then(waiting.resolve, waiting.reject)
        .finally(() => {
          this.#busy -= 1;
          this.#release(child);
          this.#next();
        });
    }
  }

  #child(): EngineChild {
    for (;;) {
      const idle = this.#idle.pop();
      if (idle === undefined) break;
      if (idle.isAlive) return idle;
      this.#children.delete(idle);
    }
    return this.#start();
  }

  #start(): EngineChild {
    const child = new EngineChild(this.#program);
    this.#children.add(child);
    return child;
  }

  #release(child: EngineChild): void {
    if (child.isAlive) this.#idle.push(child);
    else this.#children.delete(child);
  }
}
