/** Persons of accounts: created, updated, retrieved, listed, deleted; each write also writes the account. */
import type { Clock, Secrets } from 'plugboard/sdk';
import { randomId } from '../account/id.js';
import type { AccountDocument, AccountState, PersonSummary } from '../account/state.js';
import { complete } from '../answers/complete.js';
import { Refused } from '../errors/errors.js';
import type { PartEvent } from '../events/event.js';
import { known, readReferences } from '../fixtures/references.js';
import type { Fixtures } from '../fixtures/fixtures.js';
import type { Platform } from '../platform/platforms.js';
import type { Answer, Caller } from './caller.js';
import { requestId, type Judge, type JudgeParts } from './judge.js';
import { notFound } from './path-id.js';
import type { ShapeCheck } from './accounts.js';
import { stateOf, type AccountStore } from './store.js';
import { CLOSED, type AccountWrites, type Commit } from './writes.js';
import { assertPerson, mergePerson } from './person-judge.js';
import { PERSON_PREFIX, summaryOf, type Person, type PersonData } from '../persons/person.js';
import { PersonFields, type PersonBody } from '../persons/schema.js';
import type { PersonStore } from '../persons/store.js';

export interface PersonParts extends JudgeParts {
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly store: AccountStore;
  readonly persons: PersonStore;
  readonly fixtures: Fixtures;
  readonly judge: Judge;
  readonly writes: AccountWrites;
}

export class Persons {
  readonly #parts: PersonParts;

  constructor(parts: PersonParts) {
    this.#parts = parts;
  }

  create(caller: Caller, account: string, body: PersonBody, shape: ShapeCheck): Promise<Answer> {
    return this.#write(caller, account, async (document, commit) => {
      shape();
      return this.#put(caller, document, undefined, body, commit);
    });
  }

  update(caller: Caller, account: string, id: string, body: PersonBody, shape: ShapeCheck): Promise<Answer> {
    return this.#write(caller, account, async (document, commit) => {
      const person = await this.#find(account, id);
      shape();
      return this.#put(caller, document, person, body, commit);
    });
  }

  remove(caller: Caller, account: string, id: string): Promise<Answer> {
    return this.#write(caller, account, async (document, commit) => {
      const person = await this.#find(account, id);
      if (document.closed) throw new Refused(CLOSED);
      const state = stateOf(document);
      const persons = (state.persons ?? []).filter((one) => one.id !== id);
      const text = JSON.stringify({ id, object: 'v2.core.account_person', deleted: true });
      return commit(
        {
          state: { ...state, persons },
          closed: false,
          kind: 'beside',
          now: await this.#parts.judge.now(caller, state),
          tells: [told('deleted', account, id)],
          within: (tx) => this.#parts.persons.remove(tx, person.id),
        },
        text,
      );
    });
  }

  async retrieve(platform: Platform, account: string, id: string): Promise<string> {
    await this.assertAccount(platform, account);
    return JSON.stringify(answerOf(await this.#find(account, id), platform));
  }

  /** Newest first. */
  async list(platform: Platform, account: string): Promise<Record<string, unknown>[]> {
    await this.assertAccount(platform, account);
    const persons = await this.#parts.persons.of(account);
    return persons.map((person) => answerOf(person, platform));
  }

  /** Replays are stored sealed, as they hold personal data. */
  async #write(
    caller: Caller,
    account: string,
    work: (document: AccountDocument, commit: Commit) => Promise<string | undefined>,
  ): Promise<Answer> {
    const { writes, secrets } = this.#parts;
    const context = `person_answer:${caller.request?.id ?? ''}`;
    const { text, replayed } = await writes.run(caller, account, (document, commit) =>
      work(document, (change, plain) => commit(change, secrets.seal(plain, context))),
    );
    try {
      return { text: secrets.open(text, context), replayed };
    } catch (cause) {
      const message = 'the answer of this key was sealed with a key that the server no longer has';
      throw new Refused({ code: 'idempotency_error', message }, { cause });
    }
  }

  async #put(
    caller: Caller,
    document: AccountDocument,
    before: Person | undefined,
    body: PersonBody,
    commit: Commit,
  ): Promise<string | undefined> {
    const { platform, hosted = false } = caller;
    const { judge, persons, clock } = this.#parts;
    const account = document._id;
    const { token, payload } = await this.#redeem(caller, account, body);
    if (document.closed) throw new Refused(CLOSED);
    const state = stateOf(document);
    const now = await judge.now(caller, state);
    const after = mergePerson(before?.data ?? {}, payload);
    assertPerson({
      operation: before === undefined ? 'create' : 'update',
      platform,
      account: state,
      accountId: account,
      body: payload,
      byToken: token !== undefined || hosted,
      before: before?.data ?? {},
      after,
      others: (state.persons ?? []).filter(({ id }) => id !== before?.id),
      references: await this.#references(platform, document, state, before?.id, payload),
      now,
    });
    const instant = new Date(clock.now());
    const id = before?.id ?? `${PERSON_PREFIX}${randomId()}`;
    const createdAt = before?.createdAt ?? instant;
    const person: Person = { id, account, data: after, createdAt, updatedAt: instant };
    const next = judge.finished({ after: withPerson(state, id, after), now, platform }, account);
    return commit(
      {
        state: next,
        closed: false,
        kind: 'beside',
        now,
        token,
        tells: [told(before === undefined ? 'created' : 'updated', account, id)],
        within: (tx) => persons.put(tx, platform.id, person),
      },
      JSON.stringify(answerOf(person, platform)),
    );
  }

  /** Replaces the body with the contents of its token. */
  async #redeem(caller: Caller, account: string, body: PersonBody) {
    const { person_token: token, ...rest } = body;
    if (token === undefined) return { token, payload: body };
    const [other] = Object.keys(rest);
    if (other !== undefined)
      throw new Refused({
        code: 'param_alongside_person_token',
        message: `${other} cannot be sent together with person_token`,
      });
    const use = { of: 'person', account } as const;
    const { tokens } = this.#parts;
    return {
      token,
      payload: await tokens.redeem<PersonBody>(caller.platform.id, token, requestId(caller), use),
    };
  }

  /** The objects that the person refers to, and the persons it is compared with: the others, and the individual. */
  async #references(
    platform: Platform,
    { _id: accountId }: AccountDocument,
    before: AccountState,
    id: string | undefined,
    body: PersonBody,
  ) {
    const sent = { identity: { individual: body } };
    const found = await readReferences(this.#parts, {
      platform: platform.id,
      accountId,
      body: sent,
      before,
    });
    const { individual } = before.identity ?? {};
    const others = found.persons.filter((person) => person.id !== id);
    return {
      ...found,
      persons: individual === undefined ? others : [...others, known('identity.individual', individual)],
    };
  }

  async #find(account: string, id: string): Promise<Person> {
    const found = await this.#parts.persons.find(account, id);
    if (found === undefined)
      throw new Refused({ code: 'not_found', message: `there is no person "${id.slice(0, 200)}"` });
    return found;
  }

  /** Throws if the platform has no such account. */
  async assertAccount(platform: Platform, id: string): Promise<void> {
    const { store, fixtures } = this.#parts;
    if ((await store.find(platform.id, id)) === null) throw await notFound(fixtures, platform.id, id);
  }
}

function withPerson(state: AccountState, id: string, data: PersonData): AccountState {
  const others = (state.persons ?? []).filter((one) => one.id !== id);
  const persons: PersonSummary[] = [...others, summaryOf(id, data)];
  return { ...state, persons };
}

function told(kind: 'created' | 'updated' | 'deleted', account: string, person: string): PartEvent {
  return { type: `v2.core.account_person.${kind}`, person, data: { account_id: account } };
}

function answerOf({ id, account, data, createdAt, updatedAt }: Person, { livemode }: Platform) {
  return {
    id,
    object: 'v2.core.account_person',
    account,
    created: createdAt.toISOString(),
    livemode,
    updated: updatedAt.toISOString(),
    ...(complete(PersonFields, data) as Record<string, unknown>),
    metadata: data.metadata ?? {},
  };
}
