/** Test clocks: a separate time for the accounts attached to one. */
import { randomBytes } from 'node:crypto';
import type { Clock, Collection, Document, Storage, Transaction } from 'plugboard/sdk';

interface TestClockDocument extends Document {
  readonly platform: string;
  readonly name: string | null;
  readonly createdAt: Date;
  /** The current time, or the time before an advance. */
  readonly frozenTime: Date;
  readonly target: Date | null;
  /** When an advance is done. */
  readonly readyAt: Date | null;
  readonly accounts: number;
}

export interface TestClock {
  readonly id: string;
  readonly name: string | null;
  readonly created: Date;
  readonly frozenTime: Date;
  readonly status: 'ready' | 'advancing';
  readonly accounts: number;
  readonly limit: number;
}

export type AdvanceProblem = 'unknown' | 'advancing' | 'not_forward';

export interface TestClockLimits {
  /** Accounts per clock. */
  readonly accounts: number;
  /** Duration of an advance in milliseconds. */
  readonly advance: number;
}

export class TestClocks {
  readonly #collection: Collection<TestClockDocument>;
  readonly #clock: Clock;
  readonly #limits: TestClockLimits;

  constructor(storage: Storage, clock: Clock, limits: TestClockLimits) {
    this.#collection = storage.collection<TestClockDocument>({
      name: 'test_clocks',
      indexes: [{ keys: { platform: 1, createdAt: -1, _id: 1 } }],
    });
    this.#clock = clock;
    this.#limits = limits;
  }

  async create(platform: string, frozenTime: Date, name: string | null): Promise<TestClock> {
    const document: TestClockDocument = {
      _id: `clock_${randomBytes(12).toString('hex')}`,
      platform,
      name,
      createdAt: new Date(this.#clock.now()),
      frozenTime,
      target: null,
      readyAt: null,
      accounts: 0,
    };
    await this.#collection.insertOne(document);
    return this.#shown(document);
  }

  async find(platform: string, id: string): Promise<TestClock | undefined> {
    const found = await this.#collection.findOne({ _id: id, platform });
    return found === null ? undefined : this.#shown(found);
  }

  /** The newest hundred. */
  async list(platform: string): Promise<TestClock[]> {
    const found = await this.#collection
      .find({ platform }, { sort: { createdAt: -1, _id: 1 }, limit: 100 })
      .toArray();
    return found.map((one) => this.#shown(one));
  }

  /** Forward only, and one advance at a time. */
  async advance(platform: string, id: string, to: Date): Promise<TestClock | AdvanceProblem> {
    const found = await this.#collection.findOne({ _id: id, platform });
    if (found === null) return 'unknown';
    const { status, frozenTime } = this.#shown(found);
    if (status === 'advancing') return 'advancing';
    if (to <= frozenTime) return 'not_forward';
    const readyAt = new Date(this.#clock.now() + this.#limits.advance);
    const advanced = await this.#collection.findOneAndUpdate(
      { _id: id, target: found.target, readyAt: found.readyAt },
      { $set: { frozenTime, target: to, readyAt } },
    );
    return advanced === null ? 'advancing' : this.#shown(advanced);
  }

  /** Counts one more account; false if the clock is full, e.g. because a concurrent request was first. */
  async attach(tx: Transaction, id: string): Promise<boolean> {
    const { matched } = await this.#collection
      .with(tx)
      .updateOne({ _id: id, accounts: { $lt: this.#limits.accounts } }, { $inc: { accounts: 1 } });
    return matched === 1;
  }

  /** Epoch milliseconds: by the account's clock if it has one. */
  async nowOf(platform: string, id: string | undefined): Promise<number> {
    const own = id === undefined ? undefined : await this.find(platform, id);
    return own?.frozenTime.getTime() ?? this.#clock.now();
  }

  #shown({ _id, name, createdAt, frozenTime, target, readyAt, accounts }: TestClockDocument): TestClock {
    const advancing = readyAt !== null && this.#clock.now() < readyAt.getTime();
    return {
      id: _id,
      name,
      created: createdAt,
      frozenTime: advancing ? frozenTime : (target ?? frozenTime),
      status: advancing ? 'advancing' : 'ready',
      accounts,
      limit: this.#limits.accounts,
    };
  }
}
