/**
 * Estimates the tokens of calls whose upstream does not report them. Counted in a separate thread, which the first such
 * call starts and which ends after a while without any.
 */
import { Worker } from 'node:worker_threads';
import type { Counted, Job } from './thread.js';

/** The text of an answer, or its length if it was passed on unread. */
export type Answered = string | { readonly characters: number };

/** Null: nothing to estimate. */
export interface Uncounted {
  /** The body of the request as JSON. */
  readonly request: string | null;
  readonly answer: Answered | null;
}

export interface Estimate {
  readonly request: number | null;
  readonly answer: number | null;
}

interface Waiting {
  readonly uncounted: Uncounted;
  readonly characters: number;
  resolve(estimate: Estimate): void;
}

/** Characters of a token, on average over what models are asked. */
const CHARACTERS = 4;
/** Characters that may wait for the thread; what comes then is estimated by its length. */
const MOST_WAITING = 32_000_000;
/** Milliseconds without work after which the thread ends. */
const IDLE = 60_000;
/** Milliseconds that a stop waits for what is being counted. */
const LAST = 3_000;

export class Estimator {
  #thread: Worker | undefined;
  readonly #waiting = new Map<number, Waiting>();
  #characters = 0;
  #ids = 0;
  #idle: NodeJS.Timeout | undefined;
  #closed = false;

  /** Never rejects: what cannot be counted is estimated by its length. */
  estimate(uncounted: Uncounted): Promise<Estimate> {
    const { request, answer } = uncounted;
    const characters = (request?.length ?? 0) + (typeof answer === 'string' ? answer.length : 0);
    if (this.#closed || characters === 0 || this.#characters + characters > MOST_WAITING)
      return Promise.resolve(byLength(uncounted));
    return new Promise((resolve) => {
      this.#ids += 1;
      const id = this.#ids;
      this.#waiting.set(id, { uncounted, characters, resolve });
      this.#characters += characters;
      clearTimeout(this.#idle);
      const job: Job = { id, request, answer: typeof answer === 'string' ? answer : null };
      const thread = (this.#thread ??= this.#start());
      // A thread that waits must not keep the process alive, one that works must.
      thread.ref();
      thread.postMessage(job);
    });
  }

  /** Waits a moment for what is being counted; the rest is estimated by its length. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#idle);
    if (this.#waiting.size > 0) await this.#last();
    this.#giveUp();
    await this.#thread?.terminate();
  }

  #last(): Promise<void> {
    return new Promise((resolve) => {
      const late = setTimeout(resolve, LAST);
      this.#thread?.on('message', () => {
        if (this.#waiting.size > 0) return;
        clearTimeout(late);
        resolve();
      });
    });
  }

  #start(): Worker {
    const thread = new Worker(new URL('./thread.js', import.meta.url));
    thread.on('message', (counted: Counted) => this.#settle(counted));
    thread.on('error', () => {
      // The next estimate starts another.
      if (this.#thread === thread) this.#thread = undefined;
      this.#giveUp();
    });
    return thread;
  }

  #settle({ id, request, answer }: Counted): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    this.#forget(id, waiting);
    waiting.resolve({ request, answer: answer ?? byLength(waiting.uncounted).answer });
    if (this.#waiting.size > 0) return;
    this.#thread?.unref();
    this.#idle = setTimeout(() => this.#end(), IDLE).unref();
  }

  #end(): void {
    void this.#thread?.terminate();
    this.#thread = undefined;
  }

  #giveUp(): void {
    for (const [id, waiting] of this.#waiting) {
      this.#forget(id, waiting);
      waiting.resolve(byLength(waiting.uncounted));
    }
  }

  #forget(id: number, { characters }: Waiting): void {
    this.#waiting.delete(id);
    this.#characters -= characters;
  }
}

function byLength({ request, answer }: Uncounted): Estimate {
  const length = typeof answer === 'string' ? answer.length : answer?.characters;
  return {
    request: request === null ? null : Math.ceil(request.length / CHARACTERS),
    answer: length === undefined ? null : Math.ceil(length / CHARACTERS),
  };
}
