/** Publishing: resolves names by the directory, fills in what is missing, and stores the events. */
import { randomInt } from 'node:crypto';
import type { Account, Changes, Clock, EventFeed, PublishedEvents } from 'plugboard/sdk';
import type { Directory } from '../directory/directory.js';
import type { RepositoryDocument } from '../directory/documents.js';
import { validationFailed } from '../errors.js';
import { readRecord, RecordFault, type AccountRecord, type EventRecord } from '../store/record.js';
import { eventText, type WholeEvent } from '../store/text.js';
import { changeOf } from '../webhooks/change.js';
import { UnknownRepository, type EventWriter, type Outcome, type Writable } from '../store/writer.js';

export const MOST_EVENTS = 1_000;
/** Digits after the millisecond in a generated id. */
const ID_SPAN = 1e12;

export class Publisher implements EventFeed {
  readonly #directory: Directory;
  readonly #writer: EventWriter;
  readonly #clock: Clock;
  readonly #changes: Changes | undefined;

  constructor(directory: Directory, writer: EventWriter, clock: Clock, changes: Changes | undefined) {
    this.#directory = directory;
    this.#writer = writer;
    this.#clock = clock;
    this.#changes = changes;
  }

  async publish(events: readonly unknown[]): Promise<PublishedEvents> {
    if (events.length > MOST_EVENTS) throw tooMany();
    const records = events.map((event, at) => this.#read(event, at));
    const names = await this.#names(records);
    const now = this.#clock.now();
    const first = randomInt(ID_SPAN - MOST_EVENTS);
    const whole = records.map((record, at) => {
      const id = record.id ?? `${now}${String(first + at).padStart(12, '0')}`;
      return complete(record, id, new Date(now), names, at);
    });
    const outcomes = await this.#write(whole);
    const count = (wanted: Outcome): number => outcomes.filter((outcome) => outcome === wanted).length;
    return {
      ids: whole.map(({ id }) => id),
      stored: count('stored'),
      known: count('known'),
      expired: count('expired'),
    };
  }

  async #write(whole: readonly WholeEvent[]): Promise<Outcome[]> {
    try {
      return await this.#writer.write(
        whole.map((event) => writable(event, this.#changes)),
        { strict: true },
      );
    } catch (error) {
      if (!(error instanceof UnknownRepository)) throw error;
      const { id, repo } = error.event;
      throw disagreement(`events.${whole.findIndex((event) => event.id === id)}.repo`, repo.name);
    }
  }

  #read(event: unknown, at: number): EventRecord {
    try {
      return readRecord(event, this.#clock.now());
    } catch (error) {
      if (!(error instanceof RecordFault)) throw error;
      throw validationFailed({
        resource: 'Event',
        field: `events.${at}.${error.field}`,
        code: error.code,
        message: error.message,
      });
    }
  }

  async #names(records: readonly EventRecord[]): Promise<Names> {
    const logins = records.flatMap(({ actor, org, repo }) => [
      actor.login,
      ...(org === undefined ? [] : [org.login]),
      repo.name.split('/')[0] ?? '',
    ]);
    const repositories = records.map(({ repo }) => repo.name);
    const ids = records.flatMap(({ repo }) => (repo.id === undefined ? [] : [String(repo.id)]));
    const [accounts, found] = await Promise.all([
      this.#directory.people.byLogins(logins),
      this.#directory.repositories
        .find({ $or: [{ key: { $in: keys(repositories) } }, { _id: { $in: [...new Set(ids)] } }] })
        .toArray(),
    ]);
    return {
      accounts,
      repositories: new Map(found.map((repository) => [repository.key, repository])),
      repositoriesById: new Map(found.map((repository) => [repository.id, repository])),
    };
  }
}

interface Names {
  readonly accounts: ReadonlyMap<string, Account>;
  readonly repositories: ReadonlyMap<string, RepositoryDocument>;
  readonly repositoriesById: ReadonlyMap<number, RepositoryDocument>;
}

function complete(record: EventRecord, id: string, now: Date, names: Names, at: number): WholeEvent {
  const { repo } = record;
  const known = names.repositories.get(repo.name.toLowerCase());
  const owner = names.accounts.get(repo.name.split('/')[0]?.toLowerCase() ?? '');
  const org = record.org ?? (owner?.type === 'Organization' ? recordOf(owner) : undefined);
  const repoId = repo.id ?? known?.id;
  if (repoId === undefined) throw unknown(`events.${at}.repo.name`, `repository "${repo.name}"`);
  // By name the event would be shown where the id says otherwise, and outlive what is decided about either.
  if (known !== names.repositoriesById.get(repoId)) throw disagreement(`events.${at}.repo`, repo.name);
  return {
    id,
    type: record.type,
    actor: filled(record.actor, names, `events.${at}.actor.login`),
    repo: { id: repoId, name: known?.name ?? repo.name, url: repo.url },
    org: org && filled(org, names, `events.${at}.org.login`),
    payload: record.payload,
    public: record.public ?? known?.private === false,
    at: record.at ?? now,
  };
}

function filled(account: AccountRecord, names: Names, field: string): WholeEvent['actor'] {
  const known = names.accounts.get(account.login.toLowerCase());
  const id = account.id ?? known?.id;
  if (id === undefined) throw unknown(field, `account "${account.login}"`);
  return {
    id,
    login: known?.login ?? account.login,
    imageId: account.imageId ?? known?.imageId,
    avatarUrl: account.avatarUrl ?? known?.avatarUrl ?? undefined,
    url: account.url,
  };
}

function recordOf({ id, login, imageId, avatarUrl }: Account): AccountRecord {
  return { id, login, imageId, avatarUrl: avatarUrl ?? undefined, url: undefined };
}

function keys(names: readonly string[]): string[] {
  return [...new Set(names.map((name) => name.toLowerCase()))];
}

function unknown(field: string, what: string): Error {
  const message = `the directory knows no ${what}: add it, or give its id`;
  return validationFailed({ resource: 'Event', field, code: 'missing', message });
}

function disagreement(field: string, name: string): Error {
  const message = `the directory knows "${name}" by another id, or the id by another name`;
  return validationFailed({ resource: 'Event', field, code: 'invalid', message });
}

function tooMany(): Error {
  const message = `at most ${MOST_EVENTS} events at a time`;
  return validationFailed({ resource: 'Event', field: 'events', code: 'invalid', message });
}

function writable(event: WholeEvent, changes: Changes | undefined): Writable {
  const { id, actor, repo, org, public: isPublic, at } = event;
  const told = changeOf(event);
  return {
    ...{ id, actor, repo, org, public: isPublic, at, text: eventText(event) },
    ...(changes?.wants(told.type, told.group) === true && { told }),
  };
}
