/** The outbox: a change becomes one delivery per endpoint that wants it, in the transaction of the change. */
import {
  newId,
  type Clock,
  type Collection,
  type NotedChange,
  type Observers,
  type RecordedChange,
  type Transaction,
} from 'plugboard/sdk';
import { NEVER, RECHECK, type DeliveryDocument, type EndpointDocument } from './documents.js';
import type { Forms } from './forms.js';
import { isFor, type Listeners } from './listeners.js';

export interface OutboxParts {
  readonly endpoints: Collection<EndpointDocument>;
  readonly deliveries: Collection<DeliveryDocument>;
  readonly listeners: Listeners;
  readonly forms: Forms;
  readonly clock: Clock;
  readonly observers: Observers;
}

/** `source`: the plugin that makes the changes. */
export async function note(
  parts: OutboxParts,
  tx: Transaction,
  source: string,
  noted: readonly NotedChange[],
): Promise<void> {
  const erased = noted.filter(({ erases }) => erases === true);
  if (erased.length > 0)
    await parts.deliveries
      .with(tx)
      .deleteMany({ subject: { $in: erased.map(({ subject }) => subjectOf(source, subject)) } });
  const wanted = noted.filter(({ type, group }) => parts.listeners.want(source, type, group));
  if (wanted.length === 0) return;
  const now = new Date(parts.clock.now());
  const changes = wanted.map((change) => recorded(change, now));
  const groups = [...new Set(changes.map(({ group = '' }) => group))];
  const found = await parts.endpoints
    .with(tx)
    .find(
      { $or: [{ own: { $exists: false } }, { 'own.plugin': source, 'own.group': { $in: groups } }] },
      { shared: true },
    )
    .toArray();
  for (const endpoint of found) {
    const its = changes.filter(({ type, group }) => isFor(endpoint, source, type, group));
    await addDeliveries(parts, tx, source, its, endpoint);
  }
}

export async function forget(
  { deliveries }: Pick<OutboxParts, 'deliveries'>,
  tx: Transaction,
  source: string,
  changes: readonly { readonly subject: string; readonly id: string }[],
): Promise<void> {
  const subjects = [...new Set(changes.map(({ subject }) => subjectOf(source, subject)))];
  await deliveries
    .with(tx)
    .deleteMany({ subject: { $in: subjects }, change: { $in: changes.map(({ id }) => id) } });
}

/** As deliveries store it. */
function subjectOf(source: string, subject: string): string {
  return `${source} ${subject}`;
}

/** The same id for all endpoints. */
export function recorded(change: NotedChange, now: Date): RecordedChange {
  return { ...change, id: change.id ?? newId(), at: change.at ?? now };
}

/** Deliveries to one endpoint, whatever types it wants. */
export async function addDeliveries(
  { deliveries, forms, clock, observers }: OutboxParts,
  tx: Transaction,
  source: string,
  changes: readonly RecordedChange[],
  { _id: endpoint, own, askedAt }: EndpointDocument,
): Promise<void> {
  if (changes.length === 0) return;
  const now = new Date(clock.now());
  const carried = observers.carried();
  const last = await lastOrder(deliveries.with(tx), endpoint);
  const subjects = new Set<string>();
  await deliveries.with(tx).insertMany(
    changes.map((change, at): DeliveryDocument => {
      // A later one of the subject is taken up when the one before it is over.
      const blocked = subjects.has(change.subject);
      subjects.add(change.subject);
      return {
        _id: newId(),
        endpoint,
        change: change.id,
        type: change.type,
        subject: subjectOf(source, change.subject),
        order: last + 1 + at,
        body: forms.body(own, source, change),
        ...(carried && { carried }),
        state: 'waiting',
        attempts: 0,
        // Listeners are sent nothing.
        dueAt: askedAt === undefined ? new Date(+now + (blocked ? RECHECK : 0)) : NEVER,
        blocked,
        again: false,
        ...(change.erases === true && { erases: true }),
        claim: null,
        createdAt: now,
        last: null,
      };
    }),
  );
}

/** The order of the last pending delivery. Transactions that see the same one have different subjects, or conflict. */
async function lastOrder(deliveries: Collection<DeliveryDocument>, endpoint: string): Promise<number> {
  let last = 0;
  for (const state of ['waiting', 'held'] as const) {
    const options = { sort: { order: -1 }, projection: { order: 1 } } as const;
    const found = await deliveries.findOne({ endpoint, state }, options);
    last = Math.max(last, found?.order ?? 0);
  }
  return last;
}
