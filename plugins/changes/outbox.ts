/** The outbox: a change becomes one delivery for each endpoint that wants it, in the transaction of the change. */
import { newId, type NotedChange, type Clock, type Collection, type Transaction } from 'plugboard/sdk';
import type { DeliveryDocument, EndpointDocument } from './documents.js';

export interface OutboxParts {
  readonly endpoints: Collection<EndpointDocument>;
  readonly deliveries: Collection<DeliveryDocument>;
  readonly clock: Clock;
}

/** `source`: the plugin that makes the change. */
export async function note(
  { endpoints, deliveries, clock }: OutboxParts,
  tx: Transaction,
  source: string,
  { type, subject, order, data }: NotedChange,
): Promise<void> {
  const all = await endpoints.with(tx).find({}, { shared: true }).toArray();
  const wanting = all.filter(({ types }) => types.some((wanted) => isOf(wanted, type)));
  if (wanting.length === 0) return;
  const [change, now] = [newId(), new Date(clock.now())];
  // CloudEvents 1.0, structured.
  const body = JSON.stringify({
    specversion: '1.0',
    id: change,
    source: `/${source}`,
    type,
    subject,
    time: now.toISOString(),
    datacontenttype: 'application/json',
    data,
  });
  await deliveries.with(tx).insertMany(
    wanting.map(({ _id: endpoint }): DeliveryDocument => ({
      _id: newId(),
      endpoint,
      change,
      type,
      subject: `${source} ${subject}`,
      order,
      body,
      state: 'waiting',
      attempts: 0,
      dueAt: now,
      blocked: false,
      again: false,
      claim: null,
      createdAt: now,
      last: null,
    })),
  );
}

/** `*` stands for all, and `v2.core.*` for all that begin so. */
export function isOf(wanted: string, type: string): boolean {
  return wanted.endsWith('*') ? type.startsWith(wanted.slice(0, -1)) : wanted === type;
}
