/**
 * Serializes all writes of the process. Jobs that queue up share one commit and one sync to disk; each of them is
 * stored completely or not at all.
 */
import { Batcher, type Clock, type Outcome, type StorageError } from 'plugboard/sdk';
import { WriteBatch } from './batch.js';
import type { Catalog } from '../catalog.js';
import type { ChangeLog } from '../changes/change-log.js';
import type { Environment, Writer } from '../lmdb/environment.js';
import { unavailable } from '../lmdb/failures.js';
import { IDENTITY } from '../lmdb/opening/identity.js';

/** Throws a refusal before it writes. `since`: the commit that `writer` shows; undefined after writes of other jobs. */
type Prepare = (writer: Writer, since: number | undefined) => WriteBatch | undefined;

/** Most jobs of a commit, so that the first one does not wait too long. */
const JOBS_PER_COMMIT = 1000;

export class WriteQueue {
  readonly #environment: Environment;
  readonly #catalog: Catalog;
  readonly #changes: ChangeLog;
  readonly #clock: Clock;
  readonly #committed: () => void;
  readonly #batches = new Batcher<Prepare, boolean>((jobs) => this.#commit(jobs), { most: JOBS_PER_COMMIT });
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

  /** Resolves when the writes of `work` are durable. If `work` throws, its writes are undone and the call rejects. */
  async submit<T>(work: (batch: WriteBatch) => T): Promise<T> {
    let result!: T;
    await this.submitBatch((writer) => {
      const batch = new WriteBatch(writer, this.#clock.now());
      result = work(batch);
      return batch;
    });
    return result;
  }

  /** The same for writes collected beforehand. Resolves to false if `prepare` returns none. */
  submitBatch(prepare: Prepare): Promise<boolean> {
    return this.#batches.call(prepare);
  }

  /** Why the last commit failed; undefined if it succeeded. */
  get refusal(): StorageError | undefined {
    return this.#refusal;
  }

  /** Probes with a small commit whether the store works again after a refusal. */
  async tryAgain(): Promise<void> {
    if (this.#refusal === undefined) return;
    await this.submit((batch) => {
      const identity = batch.get('catalog', IDENTITY);
      if (identity !== undefined) batch.put('catalog', IDENTITY, Buffer.from(identity));
    }).catch(() => {});
  }

  /** Whether nothing was committed since and nothing is queued: the next job will be the first of its commit. */
  isQuietSince(sequence: number): boolean {
    return this.#batches.isIdle && this.#environment.sequence === sequence;
  }

  /** One commit at a time; jobs that arrive meanwhile share the next one. */
  async #commit(jobs: readonly Prepare[]): Promise<readonly Outcome<boolean>[]> {
    const outcomes: Outcome<boolean>[] = [];
    const before = this.#environment.sequence;
    try {
      const durable = this.#environment.commit((writer) => {
        this.#catalog.refresh(writer);
        const { sequence } = this.#environment;
        let isFirst = true;
        for (const prepare of jobs) {
          let batch: WriteBatch | undefined;
          try {
            batch = prepare(writer, isFirst ? sequence : undefined);
          } catch (error) {
            outcomes.push({ error });
            continue;
          }
          batch?.commit(writer, this.#catalog, this.#changes);
          isFirst = false;
          outcomes.push({ value: batch !== undefined });
        }
      });
      if (durable !== undefined) await durable;
      this.#committed();
      if (this.#environment.sequence !== before) this.#refusal = undefined;
      return outcomes;
    } catch (error) {
      this.#catalog.forget();
      const refusal = unavailable(error);
      if (refusal.code === 'unavailable') this.#refusal = refusal;
      throw refusal;
    }
  }

  /** Resolves when every submitted job is stored or refused. */
  drain(): Promise<void> {
    return this.#batches.idle();
  }
}
