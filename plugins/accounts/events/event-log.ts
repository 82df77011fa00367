/** The events of the last thirty days, written in the transaction of the change and passed to subscribers. */
import type { Changes, Clock, Collection, Filter, Storage, Transaction } from 'plugboard/sdk';
import { randomId } from '../account/id.js';
import type { Platform } from '../platform/platforms.js';
import { changedMembers, eventsOf, KEPT_SECONDS, type ChangeOfAccount, type EventDocument } from './event.js';

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

  /** Whether changes are recorded, and need a transaction. */
  get on(): boolean {
    return this.#changes?.on === true;
  }

  async record(tx: Transaction, account: string, platform: Platform, change: ChangeOfAccount): Promise<void> {
    if (this.#changes === undefined || !this.on) return;
    const { before, after } = change;
    const changed = before === undefined ? [] : changedMembers(before, after);
    const told = eventsOf(change);
    if (told.length === 0) return;
    const created = new Date(this.#clock.now());
    const events = told.map(({ type, person, data }): EventDocument => ({
      _id: `evt_${randomId()}`,
      platform: platform.id,
      type,
      subject: person ?? account,
      ...(person !== undefined && { account }),
      ...(data !== undefined && { data }),
      created,
    }));
    await this.#documents.with(tx).insertMany(events);
    const { id: group, livemode } = platform;
    const common = { platform: group, livemode };
    await this.#changes.record(
      tx,
      ...events.map(({ _id: id, type, subject, account: owner, data: more }) => ({
        id,
        at: created,
        type,
        // Events of an account and of its persons share one order.
        subject: account,
        group,
        data:
          owner === undefined
            ? { id: subject, object: 'v2.core.account', ...common, changed, ...more }
            : { id: subject, object: 'v2.core.account_person', account: owner, ...common, ...more },
      })),
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
