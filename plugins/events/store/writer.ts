/**
 * Stores events: concurrent writers share one transaction, in which the events and the directory change together or not
 * at all.
 */
import {
  Batcher,
  isStorageError,
  type Changes,
  type Clock,
  type Collection,
  type NotedChange,
  type Outcome as Batched,
  type Storage,
  type Transaction,
} from 'plugboard/sdk';
import type { Directory } from '../directory/directory.js';
import type { DirectoryVersion } from '../directory/version.js';
import type { EventDocument, IssueEventDocument } from './documents.js';
import { addKnown } from './known.js';
import { asPrivate, type WholeEvent } from './text.js';

/** An event as its text and its indexed members: keeping the payload as well would waste memory. */
export interface Writable extends Omit<WholeEvent, 'payload' | 'type'> {
  readonly text: string;
  /** For current events, what endpoints get; missing for past events of an archive. */
  readonly told?: NotedChange;
}

/** `unknown`: another id holds its repository's name, so nothing would decide who may see it. */
export type Outcome = 'stored' | 'known' | 'expired' | 'unknown';

export interface IssueOutcome {
  readonly stored: number;
  readonly known: number;
  readonly expired: number;
}

/** Events in one transaction. */
const MOST = 1_000;
/** Two transactions that add the same account: the loser sees it on its retry. */
const ATTEMPTS = 5;

/** Thrown for an event whose repository has a name that another one holds. */
export class UnknownRepository extends Error {
  readonly event: Writable;

  constructor(event: Writable) {
    super(`another repository is called ${event.repo.name}`);
    this.event = event;
  }
}

interface Write {
  readonly events: readonly Writable[];
  readonly strict: boolean;
}

export interface WriterParts {
  readonly storage: Storage;
  readonly events: Collection<EventDocument>;
  readonly issueEvents: Collection<IssueEventDocument>;
  readonly directory: Directory;
  readonly version: DirectoryVersion;
  readonly clock: Clock;
  readonly changes: Changes | undefined;
  /** Milliseconds. */
  readonly retention: number;
}

export class EventWriter {
  readonly #parts: WriterParts;
  readonly #batches = new Batcher<Write, Outcome[]>((writes) => this.#writeSome(writes), {
    most: MOST,
    size: ({ events }) => events.length,
  });

  constructor(parts: WriterParts) {
    this.#parts = parts;
  }

  /** The outcome of each event, in order. At most 1,000. `strict`: throws `UnknownRepository` and stores none. */
  write(events: readonly Writable[], { strict = false } = {}): Promise<Outcome[]> {
    return this.#batches.call({ events, strict });
  }

  /** At most 1,000 issue events. */
  async writeIssueEvents(documents: readonly IssueEventDocument[]): Promise<IssueOutcome> {
    const { storage, issueEvents, clock, retention } = this.#parts;
    const oldest = clock.now() - retention;
    const lasting = documents.filter(({ at }) => +at > oldest);
    const expired = documents.length - lasting.length;
    const one = new Map(lasting.map((document) => [document._id, document]));
    const stored = await storage.transaction(async (tx) => {
      const known = await idsAmong(issueEvents.with(tx), [...one.keys()]);
      const fresh = [...one.values()].filter(({ _id }) => !known.has(_id));
      if (fresh.length === 0) return 0;
      await issueEvents.with(tx).insertMany(fresh);
      return fresh.length;
    });
    return { stored, expired, known: lasting.length - stored };
  }

  async #writeSome(writes: readonly Write[]): Promise<Batched<Outcome[]>[]> {
    try {
      const strict = writes.some((one) => one.strict);
      const outcomes = await this.#store(
        writes.flatMap(({ events }) => events),
        strict,
      );
      let from = 0;
      return writes.map(({ events }) => ({ value: outcomes.slice(from, (from += events.length)) }));
    } catch (error) {
      if (!(error instanceof UnknownRepository) || writes.length === 1) throw error;
      const alone: Batched<Outcome[]>[] = [];
      for (const one of writes)
        alone.push(...(await this.#writeSome([one]).catch((reason: unknown) => [{ error: reason }])));
      return alone;
    }
  }

  async #store(events: readonly Writable[], strict: boolean): Promise<Outcome[]> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#parts.storage.transaction((tx) => this.#storeIn(tx, events, strict));
      } catch (error) {
        if (attempt === ATTEMPTS || !isConflict(error)) throw error;
      }
    }
  }

  async #storeIn(tx: Transaction, all: readonly Writable[], strict: boolean): Promise<Outcome[]> {
    const { events, directory, version, clock, changes, retention } = this.#parts;
    const oldest = clock.now() - retention;
    const known = await idsAmong(
      events.with(tx),
      all.map(({ id }) => id),
    );
    const fresh = new Map<string, Writable>();
    const outcomes = all.map((event): Outcome => {
      if (+event.at <= oldest) return 'expired';
      if (known.has(event.id) || fresh.has(event.id)) return 'known';
      fresh.set(event.id, event);
      return 'stored';
    });
    if (fresh.size === 0) return outcomes;
    const { present, hidden, hides } = await addKnown(tx, directory, events, [...fresh.values()]);
    if (hides) await version.raise(tx);
    const unknown = (event: Writable): boolean => fresh.has(event.id) && !present.has(event.repo.id);
    const stranger = strict ? all.find(unknown) : undefined;
    if (stranger !== undefined) throw new UnknownRepository(stranger);
    const stored = [...fresh.values()].filter((event) => !unknown(event));
    if (stored.length > 0)
      await events.with(tx).insertMany(stored.map((event) => toDocument(event, hidden.has(event.repo.id))));
    await changes?.record(tx, ...stored.flatMap(({ told = [] }) => told));
    return outcomes.map((outcome, at) => (unknown(all[at]!) ? 'unknown' : outcome));
  }
}

/** `hidden`: its repository is private, whatever the event says. */
function toDocument(
  { id, actor, repo, org, public: isPublic, at, text }: Writable,
  hidden: boolean,
): EventDocument {
  return {
    _id: id,
    actor: actor.id,
    repo: repo.id,
    ...(org === undefined ? {} : { org: org.id }),
    public: isPublic && !hidden,
    at,
    text: isPublic && hidden ? asPrivate(text) : text,
  };
}

async function idsAmong(
  collection: Collection<EventDocument> | Collection<IssueEventDocument>,
  ids: readonly string[],
) {
  const found = await (collection as Collection<EventDocument>)
    .find({ _id: { $in: ids } }, { projection: { _id: 1 } })
    .toArray();
  return new Set(found.map(({ _id }) => _id));
}

function isConflict(error: unknown): boolean {
  return isStorageError(error, 'duplicate_key') || isStorageError(error, 'write_conflict');
}
