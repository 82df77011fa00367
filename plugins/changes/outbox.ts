/** The outbox: a change becomes one delivery for each endpoint that wants it, in the transaction of the change. */
import {
  newId,
  type NotedChange,
  type Clock,
  type Collection,
  type Observers,
  type Transaction,
} from 'plugboard/sdk';
import type { DeliveryDocument, EndpointDocument } from './documents.js';
import type { Forms } from './forms.js';

export interface OutboxParts {
  readonly endpoints: Collection<EndpointDocument>;
  readonly deliveries: Collection<DeliveryDocument>;
  readonly forms: Forms;
  readonly clock: Clock;
  readonly observers: Observers;
}

/** `source`: the plugin that makes the change. */
export async function note(
  parts: OutboxParts,
  tx: Transaction,
  source: string,
  change: NotedChange,
): Promise<void> {
  const ofGroup = { 'own.plugin': source, 'own.group': change.group ?? '' };
  const all = await parts.endpoints
    .with(tx)
    .find({ $or: [{ own: { $exists: false } }, ofGroup] }, { shared: true })
    .toArray();
  const wanting = all.filter(({ types }) => types.some((wanted) => isOf(wanted, change.type)));
  await addDeliveries(parts, tx, source, change, wanting);
}

/** One delivery for each of `endpoints`, whatever types they want. */
export async function addDeliveries(
  { deliveries, forms, clock, observers }: OutboxParts,
  tx: Transaction,
  source: string,
  noted: NotedChange,
  endpoints: readonly EndpointDocument[],
): Promise<void> {
  if (endpoints.length === 0) return;
  const now = new Date(clock.now());
  const carried = observers.carried();
  const change = { ...noted, id: noted.id ?? newId(), at: noted.at ?? now };
  await deliveries.with(tx).insertMany(
    endpoints.map(({ _id: endpoint, own }): DeliveryDocument => ({
      _id: newId(),
      endpoint,
      change: change.id,
      type: change.type,
      subject: `${source} ${change.subject}`,
      order: change.order,
      body: forms.body(own, source, change),
      ...(carried && { carried }),
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
