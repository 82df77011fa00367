/** The endpoints that a plugin manages under its own routes, stored and served like the operator's. */
import type { Filter, OwnDelivery, OwnEndpoint, OwnEndpoints } from 'plugboard/sdk';
import type { DeliveryDocument, EndpointDocument } from './documents.js';
import type { Endpoints } from './endpoints.js';
import { errors } from './errors.js';
import { addDeliveries, recorded, type OutboxParts } from './outbox.js';
import { redeliver } from './redeliver.js';

export interface OwnEndpointParts {
  readonly endpoints: Endpoints;
  readonly outbox: OutboxParts;
  readonly isOn: () => boolean;
}

export function ownEndpoints(plugin: string, { endpoints, outbox, isOn }: OwnEndpointParts): OwnEndpoints {
  const find = async (group: string, id: string): Promise<EndpointDocument | null> => {
    const found = await endpoints.find(id);
    return found?.own?.plugin === plugin && found.own.group === group ? found : null;
  };
  return {
    async create(group, { url, types, more, description = '' }, secret) {
      if (!isOn()) throw errors.transactions_missing();
      const made = await endpoints.create(
        { url, types: [...types], description },
        { plugin, group, more: JSON.stringify(more) },
        secret,
      );
      return { endpoint: shownOwn(made.endpoint), secret: made.secret };
    },
    async list(group) {
      return (await endpoints.list({ 'own.plugin': plugin, 'own.group': group })).map(shownOwn);
    },
    async find(group, id) {
      const found = await find(group, id);
      return found && shownOwn(found);
    },
    async change(group, id, { url, types, more, paused, secret }) {
      if ((await find(group, id)) === null) return null;
      return shownOwn(
        await endpoints.change(id, {
          ...(url !== undefined && { url }),
          ...(types !== undefined && { types: [...types] }),
          ...(more !== undefined && { 'own.more': JSON.stringify(more) }),
          ...(paused !== undefined && { paused }),
          ...(secret !== undefined && { secret }),
        }),
      );
    },
    async remove(group, id) {
      if ((await find(group, id)) === null) return false;
      await endpoints.remove(id);
      return true;
    },
    async tell(tx, { id }, change) {
      const found = await endpoints.find(id);
      if (found === null) return;
      const told = recorded(change, new Date(outbox.clock.now()));
      await addDeliveries(outbox, tx, plugin, [told], found);
    },
    async deliveries({ id: endpoint }, { limit, after }) {
      const behind: Filter<DeliveryDocument> =
        after === undefined
          ? {}
          : {
              $or: [
                { createdAt: { $lt: after.createdAt } },
                { createdAt: after.createdAt, _id: { $lt: after.id } },
              ],
            };
      const found = await outbox.deliveries
        .find(
          { endpoint, last: { $ne: null }, ...behind },
          { sort: { createdAt: -1, _id: -1 }, limit, projection: { body: 0 } },
        )
        .toArray();
      return found.map(shownDelivery);
    },
    async delivery({ id: endpoint }, idOrStart) {
      const found = await outbox.deliveries.findOne({
        _id: { $gte: idOrStart, $lt: `${idOrStart}~` },
        endpoint,
        last: { $ne: null },
      });
      return found && { ...shownDelivery(found), body: found.body };
    },
    async redeliver({ id: endpoint }, id) {
      await redeliver(outbox, { _id: id, endpoint });
    },
  };
}

function shownDelivery({
  _id: id,
  change,
  type,
  createdAt,
  again,
  last,
}: Omit<DeliveryDocument, 'body'>): OwnDelivery {
  const { at, milliseconds = 0, status, error } = last!;
  return { id, change, type, createdAt, again, last: { at, milliseconds, status, error } };
}

export function shownOwn({ _id, url, types, paused, own, createdAt }: EndpointDocument): OwnEndpoint {
  return { id: _id, url, types, paused, more: JSON.parse(own?.more ?? '{}') as object, createdAt };
}
