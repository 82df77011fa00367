/** The frame of every write to one account: its slot, its idempotency key, and retries. */
import { isStorageError, Semaphore, type Storage, type Transaction } from 'plugboard/sdk';
import type { AccountDocument, AccountState } from '../account/state.js';
import type { Places } from '../concurrency/slots.js';
import { Refused, type Refusal } from '../errors/errors.js';
import type { Kind, PartEvent } from '../events/event.js';
import type { EventLog } from '../events/event-log.js';
import type { Fixtures } from '../fixtures/fixtures.js';
import type { IdempotencyRecords } from '../idempotency/records.js';
import type { KeyedRequest } from '../idempotency/request.js';
import type { TestClocks } from '../test-clocks/test-clocks.js';
import type { AccountTokens } from '../tokens/account-tokens.js';
import type { Answer, Caller } from './caller.js';
import { requestId } from './judge.js';
import { notFound } from './path-id.js';
import { stateOf, type AccountStore } from './store.js';

export interface WriteParts {
  readonly storage: Storage;
  readonly store: AccountStore;
  readonly records: IdempotencyRecords;
  readonly events: EventLog;
  readonly tokens: AccountTokens;
  readonly fixtures: Fixtures;
  readonly testClocks: TestClocks;
  /** Updates of one account, on all instances. */
  readonly writeSlots: Places;
}

/** A request's change of an account. */
export interface AccountChange {
  readonly state: AccountState;
  readonly closed: boolean;
  readonly kind: Kind;
  /** Epoch milliseconds at which requirements are assessed. */
  readonly now: number;
  /** The token that the request redeemed. */
  readonly token?: string | undefined;
  /** Further events, not derived from the two states. */
  readonly tells?: readonly PartEvent[];
  /** Further writes in the transaction of the account. */
  readonly within?: (tx: Transaction) => Promise<void>;
}

/** Stores a change and returns the text, or undefined to retry. */
export type Commit = (change: AccountChange, text: string) => Promise<string | undefined>;

export type Work = (document: AccountDocument, commit: Commit) => Promise<string | undefined>;

/** Retries of an update when another instance wrote the account in between. */
const ATTEMPTS = 50;

export class AccountWrites {
  readonly #parts: WriteParts;
  readonly #turns = new Semaphore(1);

  constructor(parts: WriteParts) {
    this.#parts = parts;
  }

  async run(caller: Caller, id: string, work: Work): Promise<Answer> {
    const { platform, request } = caller;
    const { store, fixtures, writeSlots, records } = this.#parts;
    if ((await store.find(platform.id, id)) === null) throw await notFound(fixtures, platform.id, id);
    const write = async (): Promise<Answer> => {
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const replay = request && (await records.answerOf(request));
        if (replay !== undefined) return { text: replay, replayed: true };
        const document = await store.find(platform.id, id);
        if (document === null) throw await notFound(fixtures, platform.id, id);
        const commit: Commit = async (change, text) =>
          (await this.#change(caller, document, change, text)) ? text : undefined;
        try {
          const text = await work(document, commit);
          if (text !== undefined) return { text, replayed: false };
        } catch (error) {
          if (request !== undefined && isStorageError(error, 'duplicate_key')) continue;
          if (request !== undefined && !isStorageError(error)) await records.fail(request);
          throw error;
        }
      }
      throw new Refused({
        code: 'account_rate_limit_exceeded',
        message: `${id} is being written by others: try again`,
      });
    };
    const inTurn = (): Promise<Answer> => this.#turns.run(write, { key: id });
    return this.inTurn(request, () => writeSlots.run(inTurn, { key: id }));
  }

  /** A second request with the same key waits for the first, without taking a slot. */
  inTurn<T>(request: KeyedRequest | undefined, work: () => Promise<T>): Promise<T> {
    return request === undefined ? work() : this.#turns.run(work, { key: request.id });
  }

  /** False if the account was written in between. */
  async #change(
    caller: Caller,
    document: AccountDocument,
    change: AccountChange,
    text: string,
  ): Promise<boolean> {
    const { storage, store, records, tokens, testClocks, events } = this.#parts;
    const { token, within, kind, now, tells, state: after } = change;
    const before = stateOf(document);
    const clock = newClock(before, after);
    const isAlone =
      caller.request === undefined && token === undefined && clock === undefined && within === undefined;
    if (isAlone && !events.on) return store.change(document, change);
    return storage.transaction(async (tx) => {
      if (!(await store.change(document, change, tx))) return false;
      if (token !== undefined) await tokens.use(tx, caller.platform.id, token, requestId(caller));
      if (clock !== undefined && !(await testClocks.attach(tx, clock)))
        throw new Refused(CLOCK_FULL_ON_UPDATE);
      await within?.(tx);
      if (caller.request !== undefined) await records.succeed(tx, caller.request, text);
      await events.record(tx, document._id, caller.platform, { kind, before, after, now, tells });
      return true;
    });
  }
}

export const CLOSED: Refusal = {
  code: 'account_closed',
  message: 'the account is closed and cannot be changed',
};
export const CLOCK_FULL: Refusal = {
  code: 'test_clocks_customer_limit_reached',
  message: 'configuration.customer.test_clock has as many accounts as it may have',
};
const CLOCK_FULL_ON_UPDATE: Refusal = { ...CLOCK_FULL, code: 'test_clock_invalid' };

/** The clock that a change attaches the account to. */
function newClock(before: AccountState, after: AccountState): string | undefined {
  const clock = after.configuration.customer?.test_clock;
  return clock === before.configuration.customer?.test_clock ? undefined : clock;
}
