/** One child process of the engine: runs one job at a time, is killed if it does not answer. */
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { dirname } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { EngineError } from '../engine.js';
import { encodeFrame, FrameReader, type Frame } from './frames.js';

/** The longest answer: a sentence of 120 syllables at the slowest rate is 2 MB. */
const MAX_ANSWER = 32 * 1024 * 1024;
/** Loading the engine takes about 0.2 s; a busy machine may need far longer. */
const START_TIMEOUT = 20_000;

export interface EngineJob {
  readonly voice: string;
  readonly variant: string;
  readonly rate: number;
  readonly clauses: readonly { readonly phonemes: string; readonly end: string }[];
}

interface Waiting {
  resolve(frame: Frame): void;
  reject(error: EngineError): void;
}

export class EngineChild {
  readonly #process: ChildProcessByStdio<Writable, Readable, null>;
  readonly #exited: Promise<void>;
  /** Settled by the first frame. */
  readonly #ready: Promise<number>;
  #waiting: Waiting | undefined;
  #failure: EngineError | undefined;
  #jobs = 0;

  /** `program` is the engine's main file. */
  constructor(program: string) {
    this.#process = spawn(process.execPath, [program], {
      cwd: dirname(program),
      // It needs none of the server's environment, which holds secrets.
      env: {},
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const reader = new FrameReader(MAX_ANSWER);
    this.#process.stdout.on('data', (chunk: Buffer) => this.#receive(reader, chunk));
    // The exit reports a broken pipe too.
    this.#process.stdin.on('error', () => undefined);
    this.#process.once('error', (error) => this.#fail(new EngineError('failed', error.message)));
    this.#exited = new Promise((resolve) => {
      this.#process.once('close', (code, signal) => {
        this.#fail(new EngineError('failed', `the engine ended with ${signal ?? `code ${code}`}`));
        resolve();
      });
    });
    this.#ready = this.#answer(START_TIMEOUT).then(readyFrom);
    // The first caller gets the failure to start.
    this.#ready.catch(() => this.kill());
  }

  get isAlive(): boolean {
    return this.#failure === undefined;
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** One at a time. `timeout` in milliseconds, from when the engine is ready. */
  async run(job: EngineJob, timeout: number): Promise<Frame & { sampleRate: number }> {
    const sampleRate = await this.#ready;
    const id = (this.#jobs += 1);
    const answer = this.#answer(timeout);
    this.#process.stdin.write(encodeFrame({ id, ...job }));
    const frame = await answer;
    const { error } = frame.header as { error?: unknown };
    if (error !== undefined)
      throw new EngineError('failed', `the engine refused the sentence: ${String(error)}`);
    return { ...frame, sampleRate };
  }

  kill(): void {
    this.#process.kill('SIGKILL');
  }

  async close(): Promise<void> {
    this.kill();
    await this.#exited;
  }

  #answer(timeout: number): Promise<Frame> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) {
        reject(this.#failure);
        return;
      }
      const timer = setTimeout(() => {
        this.#fail(new EngineError('timeout', `the engine did not answer within ${timeout} ms`));
        this.kill();
      }, timeout);
      this.#waiting = {
        resolve: (frame) => {
          clearTimeout(timer);
          resolve(frame);
        },
        reject: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      };
    });
  }

  #receive(reader: FrameReader, chunk: Buffer): void {
    try {
      for (const frame of reader.push(chunk)) {
        const waiting = this.#waiting;
        this.#waiting = undefined;
        waiting?.resolve(frame);
      }
    } catch (error) {
      this.#fail(new EngineError('failed', 'the engine answered what is not a frame', { cause: error }));
      this.kill();
    }
  }

  #fail(error: EngineError): void {
    this.#failure ??= error;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.reject(this.#failure);
  }
}

function readyFrom({ header }: Frame): number {
  const { ready, sampleRate, code, message } = header as Record<string, unknown>;
  if (ready === true && typeof sampleRate === 'number') return sampleRate;
  throw new EngineError(code === 'not_installed' ? 'not_installed' : 'failed', String(message));
}
