/** Users' JSON Schemas, in a separate thread: started by the first check, ended when idle. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { Semaphore } from 'plugboard/sdk';
import type { Judged } from './judge.js';
import type { SchemaFault, SchemaJob } from './schema-thread.js';

/** Milliseconds per check, many times a normal one on a busy machine. A schema can be written to take years. */
const LIMIT = 5_000;
/** Milliseconds without a check after which the thread ends. */
const IDLE = 60_000;
const SLOW: SchemaFault = { schema: 0, reason: `takes more than ${LIMIT} ms to check` };
const BROKEN: SchemaFault = { schema: 0, reason: 'takes too much memory to check' };

export class SchemaChecker {
  #thread: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  readonly #turns = new Semaphore(1);

  /** The first unusable schema, and why. */
  faultIn(schemas: readonly string[]): Promise<SchemaFault | null> {
    return this.#turns.run(() => this.#ask({ schemas, text: null }));
  }

  async judge(text: string, schema: string): Promise<Judged> {
    const fault = await this.#turns.run(() => this.#ask({ schemas: [schema], text }));
    if (fault === null) return { passed: true, reason: 'fits the schema' };
    return fault.schema === null
      ? { passed: false, reason: fault.reason }
      : { passed: null, reason: `the schema ${fault.reason}` };
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    await this.#end();
  }

  async #ask(job: SchemaJob): Promise<SchemaFault | null> {
    clearTimeout(this.#idle);
    const thread = (this.#thread ??= await started());
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), LIMIT);
    thread.postMessage(job);
    try {
      const [fault] = (await once(thread, 'message', { signal: limit.signal })) as [SchemaFault | null];
      this.#idle = setTimeout(() => void this.#end(), IDLE).unref();
      return fault;
    } catch {
      await this.#end();
      return limit.signal.aborted ? SLOW : BROKEN;
    } finally {
      clearTimeout(timer);
    }
  }

  async #end(): Promise<void> {
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.terminate();
  }
}

async function started(): Promise<Worker> {
  const thread = new Worker(new URL('./schema-thread.js', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: 64 },
  });
  thread.unref();
  // Between two checks no one waits for the thread.
  thread.on('error', () => undefined);
  // The thread sends a message once loaded.
  await once(thread, 'message');
  return thread;
}
