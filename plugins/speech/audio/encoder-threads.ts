/** A few threads that encode: started on demand, kept for later work. */
import { Worker } from 'node:worker_threads';
import { EngineError } from '../engines/engine.js';
import type { BlockJob } from './mp3-thread.js';

interface Waiting {
  readonly job: BlockJob;
  readonly signal: AbortSignal;
  resolve(bytes: Buffer): void;
  reject(error: unknown): void;
}

export class EncoderThreads {
  readonly #most: number;
  readonly #threads = new Set<Worker>();
  readonly #idle: Worker[] = [];
  readonly #queue: Waiting[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  /** Encodes a block to a whole file. `signal` drops a queued block. Transfers the memory of the samples. */
  encode(job: BlockJob, signal: AbortSignal): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ job, signal, resolve, reject });
      this.#next();
    });
  }

  async close(): Promise<void> {
    for (const { reject } of this.#queue.splice(0)) reject(ended());
    await Promise.all(Array.from(this.#threads, (thread) => thread.terminate()));
  }

  #next(): void {
    while (this.#queue.length > 0 && (this.#idle.length > 0 || this.#threads.size < this.#most)) {
      const waiting = this.#queue.shift();
      if (waiting === undefined) return;
      if (waiting.signal.aborted) waiting.reject(waiting.signal.reason);
      else this.#run(this.#idle.pop() ?? this.#start(), waiting);
    }
  }

  #run(thread: Worker, { job, resolve, reject }: Waiting): void {
    const done = (bytes: Uint8Array): void => {
      thread.off('exit', gone);
      // An idle thread does not keep the process alive.
      thread.unref();
      this.#idle.push(thread);
      resolve(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
      this.#next();
    };
    const gone = (): void => {
      reject(ended());
      this.#next();
    };
    thread.once('message', done).once('exit', gone).ref();
    thread.postMessage(job, [job.pcm.buffer as ArrayBuffer]);
  }

  #start(): Worker {
    const thread = new Worker(new URL('./mp3-thread.js', import.meta.url));
    this.#threads.add(thread);
    // Its `exit` event reports the failure too.
    thread.on('error', () => undefined);
    thread.once('exit', () => {
      this.#threads.delete(thread);
      const at = this.#idle.indexOf(thread);
      if (at >= 0) this.#idle.splice(at, 1);
    });
    return thread;
  }
}

function ended(): EngineError {
  return new EngineError('failed', 'the encoder ended');
}
