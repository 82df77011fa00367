/**
 * A key's usage of its month. A call reserves its estimate and settles for the actual amount; each step is one atomic,
 * idempotent update of one document.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  isStorageError,
  newId,
  type Changes,
  type Clock,
  type Collection,
  type Document,
  type Filter,
  type Storage,
} from 'plugboard/sdk';
import type { MonthCalendar } from './month.js';
import type { Plans } from './plans.js';

/** Milliseconds of sound throughout. */
interface AllowanceDocument extends Document {
  readonly usedMs: number;
  /** Used plus reserved: the one number that admits a call. */
  readonly takenMs: number;
  readonly holds?: Readonly<Record<string, Hold>>;
}

interface Hold {
  readonly ms: number;
  /** A hold past this belongs to a dead process. */
  readonly until: Date;
}

export interface Reservation {
  readonly id: string;
  /** The document's id: the month that admitted the call pays. */
  readonly month: string;
  readonly ms: number;
}

export interface Usage {
  readonly month: string;
  readonly limitMs: number;
  readonly usedMs: number;
  readonly reservedMs: number;
  readonly resetsAt: Date;
}

/**
 * Polling while other calls hold the rest of the month: the delay in milliseconds, and the polls without any call
 * having settled (two seconds) and in all (half a minute). Counts, not times: a busy machine settles and polls slowly
 * alike.
 */
const WAIT = { first: 50, longest: 250, idle: 11, most: 120 };

const EXHAUSTED = 'speech.allowance.exhausted';

export class Allowance {
  readonly #months: Collection<AllowanceDocument>;
  readonly #plans: Plans;
  readonly #calendar: MonthCalendar;
  readonly #clock: Clock;
  readonly #holdFor: number;
  readonly #storage: Storage;
  readonly #changes: Changes | undefined;

  /** `holdFor`: milliseconds after which a hold expires; longer than any call takes. */
  constructor(
    storage: Storage,
    {
      plans,
      calendar,
      clock,
      holdFor,
      changes,
    }: {
      plans: Plans;
      calendar: MonthCalendar;
      clock: Clock;
      holdFor: number;
      changes?: Changes | undefined;
    },
  ) {
    this.#months = storage.collection<AllowanceDocument>({ name: 'allowances' });
    this.#plans = plans;
    this.#calendar = calendar;
    this.#clock = clock;
    this.#holdFor = holdFor;
    this.#storage = storage;
    this.#changes = changes;
  }

  /**
   * Holds `ms` if anything of the month is left: the last clip is served whole, so a month exceeds its limit by one
   * clip at most. Waits while other calls hold the rest. `exhausted` if the month is used up, `held` if none of those
   * calls ended for about two seconds.
   */
  async reserve(owner: string, ms: number, signal: AbortSignal): Promise<Reservation | 'exhausted' | 'held'> {
    const reservation = { id: newId(), month: this.#idOf(owner, this.#clock.now()), ms };
    const limitMs = (await this.#plans.of(owner)).seconds * 1_000;
    if (await this.#hold(reservation, limitMs)) return reservation;
    let before = { usedMs: 0, takenMs: 0 };
    let wait = WAIT.first;
    for (let looks = 0, idle = 0; ; looks += 1) {
      await this.#freeExpired(reservation.month);
      const month = await this.#months.findOne({ _id: reservation.month });
      const { usedMs, takenMs } = month ?? { usedMs: 0, takenMs: 0 };
      if (usedMs >= limitMs) return 'exhausted';
      if (takenMs < limitMs && (await this.#hold(reservation, limitMs))) return reservation;
      idle = takenMs === before.takenMs && usedMs === before.usedMs ? idle + 1 : 0;
      before = { usedMs, takenMs };
      if (idle === WAIT.idle || looks === WAIT.most) return 'held';
      await sleep(wait, undefined, { signal });
      wait = Math.min(wait * 1.5, WAIT.longest);
    }
  }

  /** Turns the hold into usage. False, and nothing charged, if the hold is gone. */
  async settle(reservation: Reservation, actual: number): Promise<boolean> {
    const changes = this.#changes;
    if (changes?.wants(EXHAUSTED) !== true)
      return (await this.#charge(this.#months, reservation, actual)) !== null;
    const [owner, month] = split(reservation.month);
    const limitMs = (await this.#plans.of(owner)).seconds * 1_000;
    return this.#storage.transaction(async (tx) => {
      const charged = await this.#charge(this.#months.with(tx), reservation, actual);
      const usedMs = charged?.usedMs ?? 0;
      // Exactly one call of the month crosses the limit.
      if (usedMs >= limitMs && usedMs - actual < limitMs) {
        const data = { key: owner, month, seconds: limitMs / 1_000 };
        await changes.record(tx, { type: EXHAUSTED, subject: owner, data });
      }
      return charged !== null;
    });
  }

  #charge(
    months: Collection<AllowanceDocument>,
    { id, month, ms }: Reservation,
    actual: number,
  ): Promise<AllowanceDocument | null> {
    return months.findOneAndUpdate(
      { _id: month, [`holds.${id}`]: { $exists: true } },
      { $inc: { usedMs: actual, takenMs: actual - ms }, $unset: { [`holds.${id}`]: true } },
    );
  }

  /** Extends the hold of a running call. False if it is gone. */
  async renew({ id, month }: Reservation): Promise<boolean> {
    const until = new Date(this.#clock.now() + this.#holdFor);
    const { matched } = await this.#months.updateOne(
      { _id: month, [`holds.${id}`]: { $exists: true } },
      { $set: { [`holds.${id}.until`]: until } },
    );
    return matched === 1;
  }

  /** Milliseconds after which an unrenewed hold expires. */
  get holdFor(): number {
    return this.#holdFor;
  }

  /** Gives the hold back. No effect once settled or given back. */
  async release({ id, month, ms }: Reservation): Promise<void> {
    await this.#months.updateOne(
      { _id: month, [`holds.${id}`]: { $exists: true } },
      { $inc: { takenMs: -ms }, $unset: { [`holds.${id}`]: true } },
    );
  }

  async usage(owner: string): Promise<Usage> {
    const now = this.#clock.now();
    const id = this.#idOf(owner, now);
    await this.#freeExpired(id);
    const [month, { seconds }] = await Promise.all([
      this.#months.findOne({ _id: id }),
      this.#plans.of(owner),
    ]);
    const usedMs = month?.usedMs ?? 0;
    return {
      month: this.#calendar.monthOf(now),
      limitMs: seconds * 1_000,
      usedMs,
      reservedMs: (month?.takenMs ?? 0) - usedMs,
      resetsAt: new Date(this.#calendar.endOf(now)),
    };
  }

  /** Usage month by month. */
  async *monthsOf(owners: readonly string[]): AsyncGenerator<{ month: string; takenMs: number }> {
    for (const owner of owners)
      for await (const { _id, takenMs } of this.#months.find(monthsOf(owner)))
        yield { month: _id.slice(owner.length + 1), takenMs };
  }

  /** The number of months removed. */
  async forget(owners: readonly string[]): Promise<number> {
    let months = 0;
    for (const owner of owners) {
      months += await this.#months.deleteMany(monthsOf(owner));
      await this.#plans.reset(owner);
    }
    return months;
  }

  #idOf(owner: string, now: number): string {
    return `${owner}:${this.#calendar.monthOf(now)}`;
  }

  async #hold({ id, month, ms }: Reservation, limitMs: number): Promise<boolean> {
    if (limitMs <= 0) return false;
    const until = new Date(this.#clock.now() + this.#holdFor);
    try {
      const result = await this.#months.updateOne(
        { _id: month, takenMs: { $lt: limitMs } },
        { $inc: { takenMs: ms }, $set: { [`holds.${id}`]: { ms, until } }, $setOnInsert: { usedMs: 0 } },
        { upsert: true },
      );
      return result.matched === 1 || result.upsertedId !== null;
    } catch (error) {
      // The month exists and is full, or another call has just created it: ask again.
      if (!isStorageError(error, 'duplicate_key')) throw error;
      const document = await this.#months.findOne({ _id: month });
      return document !== null && document.takenMs < limitMs ? this.#hold({ id, month, ms }, limitMs) : false;
    }
  }

  /** Gives back the holds of processes that died. True if there were any. */
  async #freeExpired(month: string): Promise<boolean> {
    const document = await this.#months.findOne({ _id: month });
    const now = this.#clock.now();
    const expired = Object.entries(document?.holds ?? {}).filter(([, { until }]) => until.getTime() <= now);
    for (const [id, { ms }] of expired) await this.release({ id, month, ms });
    return expired.length > 0;
  }
}

/** Owner and month of an allowance's id. */
function split(id: string): [string, string] {
  const at = id.lastIndexOf(':');
  return [id.slice(0, at), id.slice(at + 1)];
}

function monthsOf(owner: string): Filter<AllowanceDocument> {
  return { _id: { $gte: `${owner}:`, $lt: `${owner};` } };
}
