/** The events of the last thirty days, written in the transaction of the change and told to whoever listens. */
import type { Changes, Clock, Collection, Filter, Storage, Transaction } from 'plugboard/sdk';
import { randomId } from '../account/id.js';
import type { AccountState } from '../account/state.js';
import type { Platform } from '../platform/platforms.js';
import { changedMembers, KEPT_SECONDS, typesOf, type EventDocument, type Kind } from './event.js';

export class EventLog {
  readonly #documents: Collection<EventDocument>;
  readonly #changes: Changes | undefined;
  readonly #clock: Clock;

  constructor(storage: Storage, changes: Changes | undefined, clock: Clock) {
    this.#documents = storage.collection<EventDocument>({
      name: 'events',
      indexes: [
        { keys: { platform: 1, created: -1, _id: -1 } },
        { keys: { platform: 1, subject: 1, created: -1, _id: -1 } },
        { keys: { created: 1 }, expireAfterSeconds: KEPT_SECONDS },
      ],
    });
    this.#changes = changes;
    this.#clock = clock;
  }

  /** Whether changes are recorded, and need a transaction for it. */
  get on(): boolean {
    return this.#changes?.on === true;
  }

  /** `before` is undefined for a new account. */
  async record(
    tx: Transaction,
    kind: Kind,
    subject: string,
    platform: Platform,
    { before, after }: { readonly before?: AccountState; readonly after: AccountState },
  ): Promise<void> {
    if (this.#changes === undefined || !this.on) return;
    const created = new Date(this.#clock.now());
    const changed = before === undefined ? [] : changedMembers(before, after);
    const events = typesOf(kind, before, after).map((type) => ({
      _id: `evt_${randomId()}`,
      platform: platform.id,
      type,
      subject,
      created,
    }));
    await this.#documents.with(tx).insertMany(events);
    const { id: group, livemode } = platform;
    const data = { id: subject, object: 'v2.core.account', platform: group, livemode, changed };
    await this.#changes.record(
      tx,
      ...events.map(({ _id: id, type }) => ({ id, at: created, type, subject, group, data })),
    );
  }

  async add(tx: Transaction, event: EventDocument): Promise<void> {
    await this.#documents.with(tx).insertOne(event);
  }

  find(platform: string, id: string): Promise<EventDocument | null> {
    return this.#documents.findOne({ _id: id, platform });
  }

  /** Newest first. */
  list(platform: string, filter: Filter<EventDocument>, limit: number): Promise<EventDocument[]> {
    const newest = { created: -1, _id: -1 } as const;
    return this.#documents.find({ platform, ...filter }, { sort: newest, limit }).toArray();
  }
}
