/**
 * Sends what is due: each endpoint a few deliveries at a time, so that a slow one holds up nobody else. A delivery is claimed
 * for a while; of an instance that died, another takes it over. Later changes of a subject wait for the earlier ones.
 */
import { newId, type Clock, type Collection, type Logger } from 'plugboard/sdk';
import type { Courier, Outcome } from './attempt.js';
import { KEPT, type DeliveryDocument, type EndpointDocument } from './documents.js';
import type { Endpoints } from './endpoints.js';
import type { Forms } from './forms.js';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

/** Between two attempts: three days in all, as Standard Webhooks has it. */
export const RETRIES = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400].map(
  (seconds) => seconds * SECOND,
);
/** Longer than an attempt may take. */
const CLAIMED = 60 * SECOND;
/**
 * A delivery that waits for an earlier one is woken; it looks by itself in case who should have is dead. Were that often,
 * the looks of ten thousand that wait would leave no time for sending.
 */
const RECHECK = 60 * SECOND;
/** One that has had the earlier one tried again looks sooner how that went. */
const RECHECK_SOON = 5 * SECOND;
/** So long later changes of a subject wait for one that fails. */
const HELD_UP = HOUR;
const AT_A_TIME = 4;
/** Rounds between two looks for listeners that have left. */
const LISTENERS_EVERY = 100;

export interface SenderParts {
  readonly endpoints: Endpoints;
  readonly deliveries: Collection<DeliveryDocument>;
  readonly courier: Courier;
  readonly forms: Forms;
  readonly clock: Clock;
  readonly log: Logger;
  /** Milliseconds between two looks. */
  readonly poll: number;
}

export class Sender {
  readonly #parts: SenderParts;
  readonly #signal: AbortSignal;
  /** Attempts under way, by endpoint. */
  readonly #sending = new Map<string, Set<Promise<void>>>();

  constructor(parts: SenderParts, signal: AbortSignal) {
    this.#parts = parts;
    this.#signal = signal;
  }

  /** Until the signal; then it waits for the attempts under way, which are cut short. */
  async run(): Promise<void> {
    let rounds = 0;
    while (!this.#signal.aborted) {
      try {
        await this.round();
        if (++rounds % LISTENERS_EVERY === 1) await this.#parts.endpoints.removeSilent();
      } catch (error) {
        this.#parts.log.debug({ err: error }, 'changes are not sent while the store is away');
      }
      await this.#pause();
    }
    await Promise.all([...this.#sending.values()].flatMap((attempts) => [...attempts]));
  }

  /** Begins to send what is due. */
  async round(): Promise<void> {
    const { deliveries, endpoints, forms, clock } = this.#parts;
    const due = await deliveries.findOne(
      { state: 'waiting', dueAt: { $lte: new Date(clock.now()) } },
      { projection: { endpoint: 1 } },
    );
    if (due === null) return;
    const all = await endpoints.list();
    // Noted while its endpoint was removed.
    if (all.every(({ _id }) => _id !== due.endpoint)) await deliveries.deleteMany({ endpoint: due.endpoint });
    // The endpoints of a plugin that this config does not have wait for one that has it.
    for (const endpoint of all.filter(({ askedAt }) => askedAt === undefined))
      if (forms.ofEndpoint(endpoint.own) !== undefined) await this.#fill(endpoint);
  }

  async #fill(endpoint: EndpointDocument): Promise<void> {
    const sending = this.#sending.get(endpoint._id) ?? new Set();
    this.#sending.set(endpoint._id, sending);
    while (sending.size < AT_A_TIME && !this.#signal.aborted) {
      const delivery = await this.#claim(endpoint);
      if (delivery === null) break;
      const attempt = this.#deliver(endpoint, delivery)
        .catch((error: unknown) => this.#parts.log.debug({ err: error }, 'a delivery is tried again'))
        .finally(() => {
          sending.delete(attempt);
          // The next one at once, without waiting for a look.
          if (!this.#signal.aborted) void this.#refill(endpoint._id);
        });
      sending.add(attempt);
    }
    if (sending.size === 0) this.#sending.delete(endpoint._id);
  }

  async #refill(id: string): Promise<void> {
    try {
      const endpoint = await this.#parts.endpoints.find(id);
      if (endpoint !== null) await this.#fill(endpoint);
    } catch {
      // The next round does it.
    }
  }

  async #claim({ _id: endpoint, paused }: EndpointDocument): Promise<DeliveryDocument | null> {
    const { deliveries, clock } = this.#parts;
    for (;;) {
      const now = clock.now();
      const claimed = await deliveries.findOneAndUpdate(
        { endpoint, state: 'waiting', dueAt: { $lte: new Date(now) } },
        { $set: { dueAt: new Date(now + CLAIMED), claim: newId(), blocked: false }, $inc: { attempts: 1 } },
        { sort: { dueAt: 1 } },
      );
      if (claimed === null) return null;
      if (!paused && !(await this.#isBlocked(claimed))) return claimed;
      // Its endpoint has gone on since it was read: the next look reads it anew.
      if (paused && !(await this.#hold(claimed))) return null;
    }
  }

  /** Puts it back while an earlier change of its subject is on its way. */
  async #isBlocked({
    _id,
    claim,
    endpoint,
    subject,
    order,
    again,
    createdAt,
  }: DeliveryDocument): Promise<boolean> {
    const { deliveries, clock } = this.#parts;
    if (again) return false;
    const earlier = await deliveries.findOne(
      { endpoint, subject, state: { $in: ['waiting', 'held'] }, order: { $lt: order }, again: false },
      { sort: { order: -1 } },
    );
    if (earlier === null) return false;
    const now = clock.now();
    const isLong = now - createdAt.getTime() >= HELD_UP;
    if (isLong && earlier.claim === null) await this.#giveWay(earlier, createdAt.getTime() + HELD_UP);
    // Nothing changes before the earlier one is tried again, or this one has waited long enough.
    const next = Math.min(earlier.dueAt.getTime() + SECOND, createdAt.getTime() + HELD_UP);
    const dueAt = new Date(Math.max(now + (isLong ? RECHECK_SOON : RECHECK), next));
    await deliveries.updateOne({ _id, claim }, { $set: { dueAt, blocked: true }, $inc: { attempts: -1 } });
    // It may have ended since it was looked for.
    const still = await deliveries.findOne(
      { _id: earlier._id, state: { $in: ['waiting', 'held'] } },
      { projection: { _id: 1 } },
    );
    if (still === null) await this.#wake(endpoint, subject);
    return true;
  }

  async #deliver(endpoint: EndpointDocument, delivery: DeliveryDocument): Promise<void> {
    const { endpoints, deliveries, courier, forms, clock } = this.#parts;
    const { _id, claim, change: id, type, body, attempts, carried } = delivery;
    const { contentType, headers: headersOf } = forms.ofEndpoint(endpoint.own)!;
    const attempt = { secret: endpoints.secretOf(endpoint), id, type, at: clock.now(), body };
    const headers = { ...carried, 'content-type': contentType, ...headersOf(attempt) };
    const { status, error }: Outcome = await courier.send(endpoint.url, headers, body, this.#signal);
    const now = clock.now();
    const last = { at: new Date(now), status, error };
    if (error === null) await this.#settle(delivery, 'delivered', last);
    else if (this.#signal.aborted)
      await deliveries.updateOne(
        { _id, claim },
        { $set: { dueAt: last.at, claim: null }, $inc: { attempts: -1 } },
      );
    else {
      const wait = RETRIES[attempts - 1];
      if (wait === undefined) await this.#settle(delivery, 'dead', last);
      else {
        // A tenth around it: what failed together does not come back together.
        const dueAt = new Date(now + wait * (0.9 + 0.2 * Math.random()));
        await deliveries.updateOne({ _id, claim }, { $set: { dueAt, claim: null, last } });
      }
      // The receiver wants no more of it.
      if (status === 410) await endpoints.pause(endpoint._id, 'it answered 410');
    }
  }

  /** One that others have waited for long enough is tried at once, as its receiver may be back, and then given up. */
  async #giveWay(earlier: DeliveryDocument, since: number): Promise<void> {
    if ((earlier.last?.at.getTime() ?? 0) >= since) return this.#settle(earlier, 'dead', earlier.last);
    const now = new Date(this.#parts.clock.now());
    await this.#parts.deliveries.updateOne(
      { _id: earlier._id, state: 'waiting', claim: null, dueAt: { $gt: now } },
      { $set: { dueAt: now } },
    );
  }

  /** False where the endpoint is no longer paused. */
  async #hold({ _id, claim, endpoint }: DeliveryDocument): Promise<boolean> {
    const { endpoints, deliveries, clock } = this.#parts;
    await deliveries.updateOne(
      { _id, claim },
      { $set: { state: 'held', claim: null }, $inc: { attempts: -1 } },
    );
    // It may have gone on since it was read: then nobody else looks for what is held.
    if ((await endpoints.find(endpoint))?.paused !== false) return true;
    await deliveries.updateOne(
      { _id, state: 'held' },
      { $set: { state: 'waiting', dueAt: new Date(clock.now()) } },
    );
    return false;
  }

  async #settle(
    { _id, claim, endpoint, subject }: DeliveryDocument,
    state: 'delivered' | 'dead',
    last: DeliveryDocument['last'],
  ): Promise<void> {
    const expireAt = new Date(this.#parts.clock.now() + KEPT[state]);
    await this.#parts.deliveries.updateOne({ _id, claim }, { $set: { state, last, expireAt, claim: null } });
    await this.#wake(endpoint, subject);
  }

  /** The next change of the subject need not wait for its look. */
  async #wake(endpoint: string, subject: string): Promise<void> {
    await this.#parts.deliveries.findOneAndUpdate(
      { endpoint, subject, state: 'waiting', blocked: true },
      { $set: { dueAt: new Date(this.#parts.clock.now()), blocked: false } },
      { sort: { order: 1 } },
    );
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#signal.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, this.#parts.poll);
      this.#signal.addEventListener('abort', end);
    });
  }
}
