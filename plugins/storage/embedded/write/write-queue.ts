/**
 * Every write of this process, one after another. Jobs that wait for each other share one commit and one sync
 * to disk; each of them is stored whole or not at all.
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { Clock, StorageError } from 'plugboard/sdk';
import { WriteBatch } from './batch.js';
import type { Catalog } from '../catalog.js';
import type { ChangeLog } from '../changes/change-log.js';
import type { Environment, Writer } from '../lmdb/environment.js';
import { unavailable } from '../lmdb/failures.js';
import { IDENTITY } from '../lmdb/identity.js';

interface Job {
  /** Throws when the job refuses; nothing is written yet. */
  readonly prepare: Prepare;
  resolve(stored: boolean): void;
  reject(error: unknown): void;
}

/** `since`: the commit whose state `writer` still shows; undefined where another job of this commit has written. */
type Prepare = (writer: Writer, since: number | undefined) => WriteBatch | undefined;

/** A commit takes in at most so many jobs, that the first of them does not wait too long. */
const JOBS_PER_COMMIT = 1000;

export class WriteQueue {
  readonly #environment: Environment;
  readonly #catalog: Catalog;
  readonly #changes: ChangeLog;
  readonly #clock: Clock;
  readonly #committed: () => void;
  #waiting: Job[] = [];
  #running = false;
  #refusal: StorageError | undefined;

  constructor(
    environment: Environment,
    catalog: Catalog,
    changes: ChangeLog,
    clock: Clock,
    committed: () => void,
  ) {
    this.#environment = environment;
    this.#catalog = catalog;
    this.#changes = changes;
    this.#clock = clock;
    this.#committed = committed;
  }

  /** Resolves when what `work` wrote is on disk. A throw of `work` undoes its writes and is thrown on. */
  async submit<T>(work: (batch: WriteBatch) => T): Promise<T> {
    let result!: T;
    await this.submitBatch((writer) => {
      const batch = new WriteBatch(writer, this.#clock.now());
      result = work(batch);
      return batch;
    });
    return result;
  }

  /** The same for writes that are collected already. Resolves to false when `prepare` has none to store. */
  submitBatch(prepare: Prepare): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ prepare, resolve, reject });
      if (this.#running) return;
      this.#running = true;
      setImmediate(() => void this.#run());
    });
  }

  /** Why the last commit failed; undefined: the last one that had something to store was stored. */
  get refusal(): StorageError | undefined {
    return this.#refusal;
  }

  /** After a refusal: commits something small, so that writes need not come to find that there is room again. */
  async tryAgain(): Promise<void> {
    if (this.#refusal === undefined) return;
    await this.submit((batch) => {
      const identity = batch.get('catalog', IDENTITY);
      if (identity !== undefined) batch.put('catalog', IDENTITY, Buffer.from(identity));
    }).catch(() => {});
  }

  /** Whether nothing was committed since, and nothing waits: a job that is submitted now is the next commit's first. */
  isQuietSince(sequence: number): boolean {
    return !this.#running && this.#environment.sequence === sequence;
  }

  /** One commit at a time: jobs that arrive meanwhile share the next one. */
  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const jobs = this.#waiting.splice(0, JOBS_PER_COMMIT);
      const done: { job: Job; stored: boolean }[] = [];
      const refused: { job: Job; error: unknown }[] = [];
      const before = this.#environment.sequence;
      try {
        const durable = this.#environment.commit((writer) => {
          this.#catalog.refresh(writer);
          const { sequence } = this.#environment;
          for (const job of jobs) {
            let batch: WriteBatch | undefined;
            try {
              batch = job.prepare(writer, done.length === 0 ? sequence : undefined);
            } catch (error) {
              refused.push({ job, error });
              continue;
            }
            batch?.commit(writer, this.#catalog, this.#changes);
            done.push({ job, stored: batch !== undefined });
          }
        });
        if (durable !== undefined) await durable;
        this.#committed();
        if (this.#environment.sequence !== before) this.#refusal = undefined;
        for (const { job, stored } of done) job.resolve(stored);
        for (const { job, error } of refused) job.reject(error);
      } catch (error) {
        this.#catalog.forget();
        const refusal = unavailable(error);
        if (refusal.code === 'unavailable') this.#refusal = refusal;
        for (const job of jobs) job.reject(refusal);
      }
      if (this.#waiting.length > 0) await turn();
    }
    this.#running = false;
  }

  /** Resolves when all that was submitted is stored or refused. */
  async drain(): Promise<void> {
    while (this.#running) await turn();
  }
}
