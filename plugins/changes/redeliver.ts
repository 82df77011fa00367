/** Sends delivered or given-up changes again, outside the order. */
import type { Clock, Collection } from 'plugboard/sdk';
import type { DeliveryDocument } from './documents.js';
import { errors } from './errors.js';

export interface RedeliverParts {
  readonly deliveries: Collection<DeliveryDocument>;
  readonly clock: Clock;
}

/** Throws if the delivery does not exist, or is pending anyway. */
export async function redeliver(
  { deliveries, clock }: RedeliverParts,
  which: { readonly _id: string; readonly endpoint?: string },
): Promise<DeliveryDocument> {
  const { _id: id } = which;
  const again = { state: 'waiting', attempts: 0, again: true, dueAt: new Date(clock.now()) } as const;
  const sent = await deliveries.findOneAndUpdate(
    { ...which, state: { $in: ['delivered', 'dead'] } },
    { $set: again, $unset: { expireAt: true } },
  );
  if (sent !== null) return sent;
  const state = (await deliveries.findOne(which, { projection: { state: 1 } }))?.state;
  throw state === undefined
    ? errors.delivery_not_found({ values: { id } })
    : errors.delivery_waiting({ values: { id, state } });
}
