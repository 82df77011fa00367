/** Sends what is due: a few deliveries per endpoint at a time, so that a slow endpoint delays no other. */
import type { Logger } from 'plugboard/sdk';
import type { Courier, Outcome } from './attempt.js';
import { Claims, type ClaimParts } from './claims.js';
import type { DeliveryDocument, EndpointDocument } from './documents.js';
import type { Forms } from './forms.js';
import { shownOwn } from './own-endpoints.js';

/** Delays between attempts: three days in all, as Standard Webhooks has it. */
export const RETRIES = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400].map(
  (seconds) => seconds * 1_000,
);
const AT_A_TIME = 4;
/** Of one subject. */
const IN_A_ROW = 50;
/** Rounds between two looks for listeners that have left. */
const LISTENERS_EVERY = 100;

export interface SenderParts extends ClaimParts {
  readonly courier: Courier;
  readonly forms: Forms;
  readonly log: Logger;
  /** Milliseconds between two looks. */
  readonly poll: number;
}

export class Sender {
  readonly #parts: SenderParts;
  readonly #signal: AbortSignal;
  readonly #claims: Claims;
  /** In progress, by endpoint. */
  readonly #lanes = new Map<string, Set<Promise<void>>>();

  constructor(parts: SenderParts, signal: AbortSignal) {
    this.#parts = parts;
    this.#signal = signal;
    this.#claims = new Claims(parts);
  }

  /** Until the signal; then it waits for the current attempts, which are cut short. */
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
    await Promise.all([...this.#lanes.values()].flatMap((lanes) => [...lanes]));
  }

  /** Starts to send what is due. */
  async round(): Promise<void> {
    const { deliveries, endpoints, forms, clock } = this.#parts;
    const due = await deliveries.findOne(
      { state: 'waiting', dueAt: { $lte: new Date(clock.now()) } },
      { projection: { endpoint: 1 } },
    );
    if (due === null) return;
    const all = await endpoints.list();
    // Recorded while its endpoint was removed.
    if (all.every(({ _id }) => _id !== due.endpoint)) await deliveries.deleteMany({ endpoint: due.endpoint });
    // Endpoints of a plugin that this config lacks wait for an instance that has it.
    for (const endpoint of all.filter(({ askedAt }) => askedAt === undefined))
      if (forms.ofEndpoint(endpoint.own) !== undefined) await this.#fill(endpoint);
  }

  async #fill(endpoint: EndpointDocument): Promise<void> {
    while (!this.#signal.aborted) {
      const lanes = this.#lanesOf(endpoint._id);
      if (lanes.size >= AT_A_TIME) return;
      const claim = this.#claims.due(endpoint);
      // Takes its slot before it is known whether anything is due: fills are concurrent.
      const lane = this.#follow(endpoint, claim).then((hasSent) => {
        lanes.delete(lane);
        if (lanes.size === 0) this.#lanes.delete(endpoint._id);
        // The next one at once, without waiting for a look.
        if (hasSent && !this.#signal.aborted) void this.#refill(endpoint._id);
      });
      lanes.add(lane);
      if ((await claim) === null) return;
    }
  }

  #lanesOf(id: string): Set<Promise<void>> {
    const lanes = this.#lanes.get(id) ?? new Set();
    this.#lanes.set(id, lanes);
    return lanes;
  }

  async #refill(id: string): Promise<void> {
    try {
      const endpoint = await this.#parts.endpoints.find(id);
      if (endpoint !== null) await this.#fill(endpoint);
    } catch {
      // The next round does it.
    }
  }

  /** Sends a subject's changes one after the other; after some, other subjects get their turn. False: none was due. */
  async #follow(first: EndpointDocument, claim: Promise<DeliveryDocument | null>): Promise<boolean> {
    let isClaimed = false;
    try {
      let [endpoint, current]: [EndpointDocument | null, DeliveryDocument | null] = [first, await claim];
      isClaimed = current !== null;
      for (let sent = 1; endpoint !== null && current !== null; sent += 1) {
        if (!(await this.#deliver(endpoint, current))) break;
        if (sent === IN_A_ROW || this.#signal.aborted) {
          await this.#claims.wake(current);
          break;
        }
        [endpoint, current] = await Promise.all([
          this.#parts.endpoints.find(endpoint._id),
          this.#claims.next(current),
        ]);
      }
    } catch (error) {
      this.#parts.log.debug({ err: error }, 'a delivery is tried again');
    }
    // Claims that fail wait for the next round: another one at once would fail as fast.
    return isClaimed;
  }

  /** True if it is over: delivered, or given up. */
  async #deliver(endpoint: EndpointDocument, delivery: DeliveryDocument): Promise<boolean> {
    const { endpoints, deliveries, courier, forms, clock } = this.#parts;
    const { _id, claim, change: id, type, attempts, carried } = delivery;
    const began = clock.now();
    const attempt = { secret: endpoints.secretOf(endpoint), id, type, at: began, body: delivery.body };
    const { headers, body } = forms.ofEndpoint(endpoint.own)!.message(attempt, shownOwn(endpoint));
    const sent = { ...carried, ...headers };
    const { status, error }: Outcome = await courier.send(endpoint.url, sent, body, this.#signal);
    const now = clock.now();
    const last = { at: new Date(now), milliseconds: now - began, status, error };
    if (error === null) {
      await this.#claims.settle(delivery, 'delivered', last);
      return true;
    }
    if (this.#signal.aborted) {
      await deliveries.updateOne(
        { _id, claim },
        { $set: { dueAt: last.at, claim: null }, $inc: { attempts: -1 } },
      );
      return false;
    }
    const wait = RETRIES[attempts - 1];
    if (wait === undefined) await this.#claims.settle(delivery, 'dead', last);
    else {
      // Jitter of a tenth: what failed together does not come back together.
      const dueAt = new Date(now + wait * (0.9 + 0.2 * Math.random()));
      await deliveries.updateOne({ _id, claim }, { $set: { dueAt, claim: null, last } });
    }
    // 410: the receiver wants no more.
    if (status === 410) await endpoints.pause(endpoint._id, 'it answered 410');
    return wait === undefined;
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
