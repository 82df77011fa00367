/** Transactions: sessions of the driver, retried after a conflict, refused on a standalone server. */
import { setTimeout as delay } from 'node:timers/promises';
import type { ClientSession, MongoClient } from 'mongodb';
import { isStorageError, type Semaphore, StorageError, type Transaction } from 'plugboard/sdk';
import { isCommitUnknown, isTransient, storageError } from './errors.js';

interface Failure {
  readonly error: StorageError;
  readonly transient: boolean;
  readonly collection: string;
}

/** A plugin's `Transaction`: one attempt. */
export class Attempt {
  readonly session: ClientSession;
  /** The first refusal: the server has rolled back, so later calls must fail. */
  failure: Failure | undefined;
  /** Removes the expired documents that refused a write. Set by the collection concerned. */
  makeRoom: (() => Promise<boolean>) | undefined;
  #ended = false;
  #last: Promise<unknown> = Promise.resolve();

  constructor(session: ClientSession) {
    this.session = session;
  }

  /** Runs one call. Calls of a transaction are serialized: a session cannot run two at once. */
  run<T>(call: (session: ClientSession) => Promise<T>, collection: string): Promise<T> {
    const result = this.#last.then(async () => {
      if (this.#ended) throw new StorageError('invalid', 'the transaction has ended');
      if (this.failure !== undefined) throw this.failure.error;
      try {
        return await call(this.session);
      } catch (error) {
        this.failure = { error: storageError(error, collection), transient: isTransient(error), collection };
        throw this.failure.error;
      }
    });
    this.#last = result.catch(() => {});
    return result;
  }

  /** Waits for pending calls and refuses later ones. */
  async end(): Promise<void> {
    await this.#last;
    this.#ended = true;
  }
}

/** Unwraps a plugin's transaction. */
export function attemptOf(transaction: Transaction): Attempt {
  const attempt: unknown = transaction;
  if (attempt instanceof Attempt) return attempt;
  throw new StorageError('invalid', 'a transaction is what storage.transaction gives to its callback');
}

/**
 * `deadline`: milliseconds to retry after conflicts. `lanes`, one per client: transactions that lost a conflict over the
 * same collection are retried one at a time, because together they would conflict again.
 */
export async function runTransaction<T>(
  client: MongoClient,
  work: (transaction: Transaction) => Promise<T>,
  deadline: number,
  lanes: Semaphore,
): Promise<T> {
  const end = Date.now() + deadline;
  const session = client.startSession();
  let leave: (() => void) | undefined;
  try {
    for (let attempts = 0; ; attempts++) {
      const outcome = await runOnce(session, work, end);
      if ('value' in outcome) return outcome.value;
      if (!outcome.again || Date.now() >= end) throw outcome.error;
      leave ??= await enter(lanes, outcome.collection, Math.trunc((end - Date.now()) / 2));
      // Random back-off, so that transactions that collided, also in other processes, do not collide again.
      await delay(Math.random() * Math.min(5 * 1.5 ** attempts, 500));
    }
  } finally {
    leave?.();
    await session.endSession();
  }
}

/** After half of the deadline it stops waiting for its lane: nested, it could wait for the outer transaction. */
function enter(lanes: Semaphore, collection: string, patience: number): Promise<() => void> {
  const signal = AbortSignal.timeout(Math.max(0, patience));
  return lanes.acquire({ key: collection, signal }).catch(() => () => {});
}

type Outcome<T> =
  | { readonly value: T }
  /** `collection`: where the conflict was; empty if at the commit. */
  | { readonly error: unknown; readonly again: boolean; readonly collection: string };

async function runOnce<T>(
  session: ClientSession,
  work: (transaction: Transaction) => Promise<T>,
  end: number,
): Promise<Outcome<T>> {
  session.startTransaction({ readConcern: { level: 'snapshot' }, readPreference: 'primary' });
  const attempt = new Attempt(session);
  let thrown: { readonly error: unknown } | undefined;
  let value: T | undefined;
  try {
    value = await work(attempt as unknown as Transaction);
  } catch (error) {
    thrown = { error };
  }
  await attempt.end();
  const { failure } = attempt;
  if (thrown === undefined && failure === undefined) return commit(session, value as T, end);

  await session.abortTransaction().catch(() => {});
  const again =
    (failure?.transient ?? false) || (failure !== undefined && (await makeRoom(attempt, failure.error)));
  const error = thrown === undefined ? failure?.error : thrown.error;
  return { error, again, collection: failure?.collection ?? '' };
}

async function makeRoom(attempt: Attempt, error: StorageError): Promise<boolean> {
  if (attempt.makeRoom === undefined || !isStorageError(error, 'duplicate_key')) return false;
  return attempt.makeRoom();
}

async function commit<T>(session: ClientSession, value: T, end: number): Promise<Outcome<T>> {
  for (;;) {
    try {
      await session.commitTransaction();
      return { value };
    } catch (error) {
      if (isCommitUnknown(error) && Date.now() < end) continue;
      return { error: storageError(error), again: isTransient(error), collection: '' };
    }
  }
}
