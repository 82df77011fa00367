/** Accounts: created, updated, retrieved, closed. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isStorageError, Semaphore, StorageError, type Storage } from 'plugboard/sdk';
import { idFrom, randomId } from '../account/id.js';
import { listsOf } from '../account/lists.js';
import { appliedOf, type AccountDocument, type AccountState } from '../account/state.js';
import type { Places } from '../concurrency/slots.js';
import { Refused, type Refusal } from '../errors/errors.js';
import type { EventLog } from '../events/event-log.js';
import type { IdempotencyRecords } from '../idempotency/records.js';
import { KEPT, type KeyedRequest } from '../idempotency/request.js';
import type { Attempt } from '../rules/attempt.js';
import type { AccountBody } from '../schema/bodies.js';
import type { ConfigurationName, Include } from '../schema/enums.js';
import type { Answer, Caller } from './caller.js';
import { Judge, requestId, type JudgeParts } from './judge.js';
import { notFound } from './path-id.js';
import type { AccountStore } from './store.js';

export interface AccountParts extends JudgeParts {
  readonly storage: Storage;
  readonly store: AccountStore;
  readonly records: IdempotencyRecords;
  readonly events: EventLog;
  /** Of reads of one account, on this instance. */
  readonly slots: Places;
  /** Of updates of one account, on all instances. */
  readonly writeSlots: Places;
  /** Of creations for one platform, on this instance. */
  readonly creations: Places;
}

/** Throws when the body does not match its schema; asked at its place in the order of checks. */
export type ShapeCheck = () => void;

/** Times that an update starts over because another instance wrote the account in between. */
const ATTEMPTS = 50;

/** Times that a creation looks for an account whose id is taken, and milliseconds between two of them. */
const LOOKS = 20;
const LOOK_AGAIN_MS = 50;

export class Accounts {
  readonly #parts: AccountParts;
  readonly #judge: Judge;
  readonly #turns = new Semaphore(1);

  constructor(parts: AccountParts) {
    this.#parts = parts;
    this.#judge = new Judge(parts);
  }

  async create(caller: Caller, body: AccountBody, shape: ShapeCheck): Promise<Answer> {
    const { request, platform } = caller;
    return this.#inTurn(request, () =>
      this.#parts.creations.run(() => this.#create(caller, body, shape), {
        key: `the platform "${platform.id}"`,
      }),
    );
  }

  async update(caller: Caller, id: string, body: AccountBody, shape: ShapeCheck): Promise<Answer> {
    return this.#write(caller, id, async (document, commit) => {
      shape();
      const { token, payload } = await this.#judge.redeem(caller, body);
      const before = stateOf(document);
      if (document.closed) throw new Refused(CLOSED);
      const attempt = await this.#judge.judge(caller, document, payload, token !== undefined, before);
      const state = this.#judge.finished(attempt, document._id);
      const text = this.#judge.text(document, state, attempt.now, caller, body.include ?? []);
      return commit({ state, closed: false }, text, token);
    });
  }

  async close(
    caller: Caller,
    id: string,
    configurations: readonly ConfigurationName[],
    shape: ShapeCheck,
  ): Promise<Answer> {
    return this.#write(caller, id, async (document, commit) => {
      shape();
      const state = stateOf(document);
      const applied = appliedOf(state);
      if (applied.join() !== [...new Set(configurations)].toSorted().join())
        throw new Refused({
          code: 'configs_must_match_to_close',
          message: `applied_configurations must name all that the account has: ${applied.join(', ') || 'none'}`,
        });
      const now = await this.#judge.now(caller, state);
      return commit(
        { state, closed: true },
        this.#judge.text({ ...document, closed: true }, state, now, caller, []),
        undefined,
      );
    });
  }

  async retrieve({ platform }: Caller, id: string, include: readonly Include[]): Promise<string> {
    const document = await this.#parts.store.find(platform.id, id);
    if (document === null) throw await notFound(this.#parts.fixtures, platform.id, id);
    const read = async (): Promise<string> => {
      const state = stateOf(document);
      const now = await this.#judge.now({ platform }, state);
      return this.#judge.text(document, state, now, { platform }, include);
    };
    return this.#parts.slots.run(read, { key: id });
  }

  async #create(caller: Caller, body: AccountBody, shape: ShapeCheck): Promise<Answer> {
    const { request } = caller;
    const replay = request && (await this.#parts.records.answerOf(request));
    if (replay !== undefined) return { text: replay, replayed: true };
    try {
      shape();
      return await this.#insert(caller, body);
    } catch (error) {
      if (request === undefined || isStorageError(error)) throw error;
      // The key may have made an account before: then that is the answer, whatever is wrong by now.
      const made = await this.#madeBy(request);
      if ('text' in made) return made;
      await this.#parts.records.fail(request);
      throw error;
    }
  }

  async #insert(caller: Caller, body: AccountBody): Promise<Answer> {
    const { request, platform } = caller;
    const { token, payload } = await this.#judge.redeem(caller, body);
    const attempt = await this.#judge.judge(caller, undefined, payload, token !== undefined, undefined);
    const createdAt = new Date(attempt.now);
    for (let generation = 0, unseen = 0; ;) {
      const id = request === undefined ? `acct_${randomId()}` : keyedId(request, generation);
      const state = this.#judge.finished(attempt, id);
      const shown = { _id: id, createdAt, closed: false };
      const text = this.#judge.text(shown, state, attempt.now, caller, body.include ?? []);
      const document: AccountDocument = {
        ...shown,
        platform: platform.id,
        version: 1,
        lists: listsOf(platform.id, false, appliedOf(state)),
        state: JSON.stringify(state),
        ...(request && {
          creation: {
            fingerprint: this.#parts.records.fingerprint(request),
            answer: text,
            at: new Date(this.#parts.clock.now()),
          },
        }),
      };
      try {
        await this.#commit(attempt, token, caller, document);
        return { text, replayed: false };
      } catch (error) {
        if (request === undefined || !isStorageError(error, 'duplicate_key')) throw error;
        const made = await this.#madeBy(request);
        if ('text' in made) return made;
        // The key made accounts longer ago than keys are kept: it stands for another request now.
        if (made.free > generation) generation = made.free;
        // The id is taken by an account that is not there: a member of the database has it that has lost touch with
        // the others. Another id would be a second account for the key, as the write may yet be theirs.
        else if ((unseen += 1) === LOOKS)
          throw new StorageError('unavailable', 'the key is being used', { cause: error });
        else await sleep(LOOK_AGAIN_MS);
      }
    }
  }

  /** A second request with the same key waits for the first, and takes no slot while it does. */
  #inTurn<T>(request: KeyedRequest | undefined, work: () => Promise<T>): Promise<T> {
    return request === undefined ? work() : this.#turns.run(work, { key: request.id });
  }

  /**
   * What a key made within the time for which keys are kept, or the first generation of its ids that is free. Throws
   * when it made an account with another body.
   */
  async #madeBy(request: KeyedRequest): Promise<Answer | { readonly free: number }> {
    for (let generation = 0; ; generation += 1) {
      const document = await this.#parts.store.findById(keyedId(request, generation));
      if (document?.creation === undefined) return { free: generation };
      const { fingerprint, answer, at } = document.creation;
      if (this.#parts.clock.now() - at.getTime() >= KEPT) continue;
      this.#parts.records.assertSame(request, fingerprint);
      return { text: answer, replayed: true };
    }
  }

  /** The frame of a request that changes one account: its place in line, its key, and starting over. */
  async #write(
    caller: Caller,
    id: string,
    work: (document: AccountDocument, commit: Commit) => Promise<string | undefined>,
  ): Promise<Answer> {
    const { platform, request } = caller;
    const { store, fixtures, writeSlots, records } = this.#parts;
    if ((await store.find(platform.id, id)) === null) throw await notFound(fixtures, platform.id, id);
    const write = async (): Promise<Answer> => {
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const replay = request && (await records.answerOf(request));
        if (replay !== undefined) return { text: replay, replayed: true };
        const document = await store.find(platform.id, id);
        if (document === null) throw await notFound(fixtures, platform.id, id);
        const commit: Commit = async (change, text, token) =>
          (await this.#change(caller, document, change, text, token)) ? text : undefined;
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
    return this.#inTurn(request, () => writeSlots.run(inTurn, { key: id }));
  }

  /** False when the account was written in between. */
  async #change(
    caller: Caller,
    document: AccountDocument,
    change: { state: AccountState; closed: boolean },
    text: string,
    token: string | undefined,
  ): Promise<boolean> {
    const { storage, store, records, tokens, testClocks, events } = this.#parts;
    const before = stateOf(document);
    const clock = newClock(before, change.state);
    const isAlone = caller.request === undefined && token === undefined && clock === undefined;
    if (isAlone && !events.on) return store.change(document, change);
    return storage.transaction(async (tx) => {
      if (!(await store.change(document, change, tx))) return false;
      if (token !== undefined) await tokens.use(tx, caller.platform.id, token, requestId(caller));
      if (clock !== undefined && !(await testClocks.attach(tx, clock)))
        throw new Refused(CLOCK_FULL_ON_UPDATE);
      if (caller.request !== undefined) await records.succeed(tx, caller.request, text);
      const kind = change.closed ? 'closed' : 'updated';
      await events.record(tx, kind, document._id, caller.platform, { before, after: change.state });
      return true;
    });
  }

  /** In one transaction where more than the account is written. */
  async #commit(
    { after }: Attempt,
    token: string | undefined,
    caller: Caller,
    document: AccountDocument,
  ): Promise<void> {
    const clock = after.configuration.customer?.test_clock;
    const { storage, store, events } = this.#parts;
    if (token === undefined && clock === undefined && !events.on) return store.insert(document);
    await storage.transaction(async (tx) => {
      await store.insert(document, tx);
      await events.record(tx, 'created', document._id, caller.platform, { after });
      if (token !== undefined) await this.#parts.tokens.use(tx, caller.platform.id, token, requestId(caller));
      if (clock !== undefined && !(await this.#parts.testClocks.attach(tx, clock)))
        throw new Refused(CLOCK_FULL);
    });
  }
}

/** An account that a key made, and the one that it makes when the first is older than keys are kept, and so on. */
function keyedId({ id }: KeyedRequest, generation: number): string {
  return `acct_${idFrom(`${id}:${generation}`)}`;
}

/** Stores a change and answers the text, or undefined to start over. */
type Commit = (
  change: { state: AccountState; closed: boolean },
  text: string,
  token: string | undefined,
) => Promise<string | undefined>;

const CLOSED: Refusal = { code: 'account_closed', message: 'the account is closed and cannot be changed' };
const CLOCK_FULL: Refusal = {
  code: 'test_clocks_customer_limit_reached',
  message: 'configuration.customer.test_clock has as many accounts as it may have',
};
const CLOCK_FULL_ON_UPDATE: Refusal = { ...CLOCK_FULL, code: 'test_clock_invalid' };

export function stateOf({ state }: AccountDocument): AccountState {
  return JSON.parse(state) as AccountState;
}

/** The clock that a change hangs the account on. */
function newClock(before: AccountState, after: AccountState): string | undefined {
  const clock = after.configuration.customer?.test_clock;
  return clock === before.configuration.customer?.test_clock ? undefined : clock;
}
