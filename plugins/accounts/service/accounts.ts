/** Accounts: created, updated, retrieved, closed. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isStorageError, StorageError, type Clock } from 'plugboard/sdk';
import { idFrom, randomId } from '../account/id.js';
import { listsOf } from '../account/lists.js';
import { appliedOf, type AccountDocument } from '../account/state.js';
import type { Places } from '../concurrency/slots.js';
import { Refused } from '../errors/errors.js';
import { KEPT, type KeyedRequest } from '../idempotency/request.js';
import type { Attempt } from '../rules/attempt.js';
import type { AccountBody } from '../schema/bodies.js';
import type { ConfigurationName, Include } from '../schema/enums.js';
import type { Answer, Caller } from './caller.js';
import { requestId, type Judge } from './judge.js';
import { notFound } from './path-id.js';
import { stateOf } from './store.js';
import { CLOCK_FULL, CLOSED, type AccountChange, type AccountWrites, type WriteParts } from './writes.js';

export interface AccountParts extends WriteParts {
  readonly clock: Clock;
  readonly judge: Judge;
  readonly writes: AccountWrites;
  /** Reads of one account, on this instance. */
  readonly slots: Places;
  /** Creations for one platform, on this instance. */
  readonly creations: Places;
}

/** Throws if the body does not match its schema; called at its place in the order of checks. */
export type ShapeCheck = () => void;

/** Polls by a creation for the account that has its id, and milliseconds between them. */
const LOOKS = 20;
const LOOK_AGAIN_MS = 50;

export class Accounts {
  readonly #parts: AccountParts;
  readonly #judge: Judge;
  readonly #writes: AccountWrites;

  constructor(parts: AccountParts) {
    this.#parts = parts;
    this.#judge = parts.judge;
    this.#writes = parts.writes;
  }

  async create(caller: Caller, body: AccountBody, shape: ShapeCheck): Promise<Answer> {
    const { request, platform } = caller;
    return this.#writes.inTurn(request, () =>
      this.#parts.creations.run(() => this.#create(caller, body, shape), {
        key: `the platform "${platform.id}"`,
      }),
    );
  }

  /** `beside`: events and writes that accompany the change. */
  async update(
    caller: Caller,
    id: string,
    body: AccountBody,
    shape: ShapeCheck,
    beside: Partial<Pick<AccountChange, 'kind' | 'tells' | 'within'>> = {},
  ): Promise<Answer> {
    return this.#writes.run(caller, id, async (document, commit) => {
      shape();
      const { token, payload } = await this.#judge.redeem(caller, body);
      const before = stateOf(document);
      if (document.closed) throw new Refused(CLOSED);
      const attempt = await this.#judge.judge(caller, document, payload, token !== undefined, before);
      const state = this.#judge.finished(attempt, document._id);
      const text = this.#judge.text(document, state, attempt.now, caller, body.include ?? []);
      return commit({ state, closed: false, kind: 'updated', now: attempt.now, token, ...beside }, text);
    });
  }

  async close(
    caller: Caller,
    id: string,
    configurations: readonly ConfigurationName[],
    shape: ShapeCheck,
  ): Promise<Answer> {
    return this.#writes.run(caller, id, async (document, commit) => {
      shape();
      const state = stateOf(document);
      const applied = appliedOf(state);
      if (applied.join() !== [...new Set(configurations)].toSorted().join())
        throw new Refused({
          code: 'configs_must_match_to_close',
          message: `applied_configurations must name all that the account has: ${applied.join(', ') || 'none'}`,
        });
      const now = await this.#judge.now(caller, state);
      const text = this.#judge.text({ ...document, closed: true }, state, now, caller, []);
      return commit({ state, closed: true, kind: 'closed', now }, text);
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
      // If the key has made an account before, that is the answer, whatever fails now.
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
        lists: listsOf(platform.id, false, state),
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
        // The key's accounts are older than the retention of keys: it is a new request.
        if (made.free > generation) generation = made.free;
        // The id is taken but its account is not visible: another database member, partitioned from the rest, has it.
        // Another id would be a second account for the key, as that write may yet commit.
        else if ((unseen += 1) === LOOKS)
          throw new StorageError('unavailable', 'the key is being used', { cause: error });
        else await sleep(LOOK_AGAIN_MS);
      }
    }
  }

  /**
   * What a key made within the retention of keys, or the first unused generation of its ids. Throws if it made an
   * account with another body.
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

  /** In one transaction if more than the account is written. */
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
      const now = document.createdAt.getTime();
      await events.record(tx, document._id, caller.platform, { kind: 'created', after, now });
      if (token !== undefined) await this.#parts.tokens.use(tx, caller.platform.id, token, requestId(caller));
      if (clock !== undefined && !(await this.#parts.testClocks.attach(tx, clock)))
        throw new Refused(CLOCK_FULL);
    });
  }
}

/** The id of a key's account; a new generation begins when the last account is older than the retention of keys. */
function keyedId({ id }: KeyedRequest, generation: number): string {
  return `acct_${idFrom(`${id}:${generation}`)}`;
}
