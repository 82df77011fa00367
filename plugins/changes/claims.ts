/**
 * Claims: a delivery belongs to its sender for a while; if that instance dies, another takes it over. Later changes of
 * a subject wait for the earlier ones.
 */
import { newId, type Clock, type Collection } from 'plugboard/sdk';
import {
  KEPT,
  RECHECK,
  type DeliveryDocument,
  type EndpointDocument,
  type LastAttempt,
} from './documents.js';
import type { Endpoints } from './endpoints.js';

const SECOND = 1_000;
/** Longer than an attempt may take. */
const CLAIMED = 60 * SECOND;
/** Delay before the next look after an earlier delivery was retried. */
const RECHECK_SOON = 5 * SECOND;
/** How long later changes of a subject wait for one that fails. */
const HELD_UP = 3_600 * SECOND;

const PENDING = { $in: ['waiting', 'held'] } as const;

export interface ClaimParts {
  readonly endpoints: Endpoints;
  readonly deliveries: Collection<DeliveryDocument>;
  readonly clock: Clock;
}

export class Claims {
  readonly #parts: ClaimParts;

  constructor(parts: ClaimParts) {
    this.#parts = parts;
  }

  /** The delivery that has been due the longest and waits for no other; null if there is none. */
  async due({ _id: endpoint, paused }: EndpointDocument): Promise<DeliveryDocument | null> {
    const { deliveries, clock } = this.#parts;
    for (;;) {
      const now = clock.now();
      const claimed = await deliveries.findOneAndUpdate(
        { endpoint, state: 'waiting', dueAt: { $lte: new Date(now) } },
        claimAt(now),
        { sort: { dueAt: 1 } },
      );
      if (claimed === null) return null;
      if (!paused && !(await this.#isBlocked(claimed))) return claimed;
      // Its endpoint was resumed since it was read: the next look reads it again.
      if (paused && !(await this.#hold(claimed))) return null;
    }
  }

  /** The next change of the subject after one that is over. Null if there is none, or another sender has it. */
  async next({ endpoint, subject }: DeliveryDocument): Promise<DeliveryDocument | null> {
    const { deliveries, clock } = this.#parts;
    const now = clock.now();
    const first = await deliveries.findOne(
      { endpoint, subject, state: PENDING, again: false },
      { sort: { order: 1 }, projection: { state: 1, claim: 1, blocked: 1, dueAt: 1 } },
    );
    if (first === null || first.claim !== null || (!first.blocked && +first.dueAt > now)) return null;
    return deliveries.findOneAndUpdate({ _id: first._id, state: 'waiting', claim: null }, claimAt(now));
  }

  /** Ends it: delivered, or given up. */
  async settle(
    { _id, claim, erases }: DeliveryDocument,
    state: 'delivered' | 'dead',
    last: LastAttempt | null,
  ): Promise<void> {
    if (erases === true) return void (await this.#parts.deliveries.deleteOne({ _id, claim }));
    const expireAt = new Date(this.#parts.clock.now() + KEPT[state]);
    await this.#parts.deliveries.updateOne({ _id, claim }, { $set: { state, last, expireAt, claim: null } });
  }

  /** Wakes the next change of the subject before its own look. */
  async wake({ endpoint, subject }: Pick<DeliveryDocument, 'endpoint' | 'subject'>): Promise<void> {
    await this.#parts.deliveries.findOneAndUpdate(
      { endpoint, subject, state: 'waiting', blocked: true },
      { $set: { dueAt: new Date(this.#parts.clock.now()), blocked: false } },
      { sort: { order: 1 } },
    );
  }

  /** Puts the delivery and the later ones of its subject back while an earlier one is pending. */
  async #isBlocked(claimed: DeliveryDocument): Promise<boolean> {
    const { _id, claim, endpoint, subject, order, again, createdAt } = claimed;
    const { deliveries, clock } = this.#parts;
    if (again) return false;
    const earlier = await deliveries.findOne(
      { endpoint, subject, state: PENDING, order: { $lt: order }, again: false },
      { sort: { order: -1 } },
    );
    if (earlier === null) return false;
    const now = clock.now();
    const isLong = now - createdAt.getTime() >= HELD_UP;
    if (isLong && earlier.claim === null) await this.#giveWay(earlier, createdAt.getTime() + HELD_UP);
    // Nothing changes before the earlier one is retried, or this one has waited long enough.
    const next = Math.min(earlier.dueAt.getTime() + SECOND, createdAt.getTime() + HELD_UP);
    const dueAt = new Date(Math.max(now + (isLong ? RECHECK_SOON : RECHECK), next));
    await deliveries.updateOne(
      { _id, claim },
      { $set: { dueAt, claim: null, blocked: true }, $inc: { attempts: -1 } },
    );
    // Claiming and putting back each of thousands would leave no time for sending.
    await deliveries.updateMany(
      {
        endpoint,
        subject,
        state: 'waiting',
        order: { $gt: order },
        claim: null,
        again,
        dueAt: { $lt: dueAt },
      },
      { $set: { dueAt, blocked: true } },
    );
    // It may have ended since it was read.
    const still = await deliveries.findOne({ _id: earlier._id, state: PENDING }, { projection: { _id: 1 } });
    if (still === null) await this.wake(claimed);
    return true;
  }

  /**
   * An earlier one that others waited for long enough is retried at once, as its receiver may be back, then given up.
   */
  async #giveWay(earlier: DeliveryDocument, since: number): Promise<void> {
    if ((earlier.last?.at.getTime() ?? 0) >= since) {
      await this.settle(earlier, 'dead', earlier.last);
      return this.wake(earlier);
    }
    const now = new Date(this.#parts.clock.now());
    await this.#parts.deliveries.updateOne(
      { _id: earlier._id, state: 'waiting', claim: null, dueAt: { $gt: now } },
      { $set: { dueAt: now } },
    );
  }

  /** False if the endpoint is no longer paused. */
  async #hold({ _id, claim, endpoint }: DeliveryDocument): Promise<boolean> {
    const { endpoints, deliveries, clock } = this.#parts;
    await deliveries.updateOne(
      { _id, claim },
      { $set: { state: 'held', claim: null }, $inc: { attempts: -1 } },
    );
    // It may have been resumed since: then nobody else looks for what is held.
    if ((await endpoints.find(endpoint))?.paused !== false) return true;
    await deliveries.updateOne(
      { _id, state: 'held' },
      { $set: { state: 'waiting', dueAt: new Date(clock.now()) } },
    );
    return false;
  }
}

function claimAt(now: number) {
  return {
    $set: { dueAt: new Date(now + CLAIMED), claim: newId(), blocked: false },
    $inc: { attempts: 1 },
  };
}
