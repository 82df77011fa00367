/** Endpoints that ask for their changes themselves, as `plugboard listen` does behind a firewall. */
import type { Clock, Collection } from 'plugboard/sdk';
import { KEPT, type DeliveryDocument, type EndpointDocument } from './documents.js';
import type { Endpoints } from './endpoints.js';
import { errors } from './errors.js';
import { cloudEvents } from './forms.js';

export interface PulledParts {
  readonly endpoints: Endpoints;
  readonly deliveries: Collection<DeliveryDocument>;
  readonly clock: Clock;
}

/** A delivery as its receiver gets it. */
export interface PulledDelivery {
  readonly id: string;
  readonly type: string;
  readonly subject: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Per response: bodies may be as long as rows are. */
const MOST = 20;

/** Notes that the listener is still there. */
export async function ask(parts: PulledParts, id: string): Promise<void> {
  await listening(parts, id);
  await parts.endpoints.asked(id);
}

/** What has not been confirmed, in order, from any instance. */
export async function pending(parts: PulledParts, id: string): Promise<PulledDelivery[]> {
  const endpoint = await listening(parts, id);
  if (endpoint.paused) return [];
  const found = await parts.deliveries
    .find({ endpoint: id, state: 'waiting' }, { sort: { order: 1, createdAt: 1, _id: 1 }, limit: MOST })
    .toArray();
  const secret = parts.endpoints.secretOf(endpoint);
  return found.map(({ _id, change, type, subject, body }) => ({
    id: _id,
    type,
    subject: subject.slice(subject.indexOf(' ') + 1),
    ...cloudEvents.message({ secret, id: change, type, at: parts.clock.now(), body }),
  }));
}

export async function confirm(parts: PulledParts, id: string, ids: readonly string[]): Promise<void> {
  await listening(parts, id);
  const now = parts.clock.now();
  await parts.deliveries.deleteMany({ _id: { $in: ids }, endpoint: id, state: 'waiting', erases: true });
  await parts.deliveries.updateMany(
    { _id: { $in: ids }, endpoint: id, state: 'waiting' },
    {
      $set: {
        state: 'delivered',
        last: { at: new Date(now), status: null, error: null },
        expireAt: new Date(now + KEPT.delivered),
      },
      $inc: { attempts: 1 },
    },
  );
}

async function listening({ endpoints }: PulledParts, id: string): Promise<EndpointDocument> {
  const found = await endpoints.find(id);
  if (found?.askedAt === undefined) throw errors.endpoint_not_found({ values: { id } });
  return found;
}
