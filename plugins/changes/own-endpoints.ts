/** The endpoints that a plugin manages under routes of its own, kept and told as those of the operator. */
import type { OwnEndpoint, OwnEndpoints } from 'plugboard/sdk';
import type { EndpointDocument } from './documents.js';
import type { Endpoints } from './endpoints.js';
import { errors } from './errors.js';
import { addDeliveries, recorded, type OutboxParts } from './outbox.js';

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
    async create(group, { url, types, more }, secret) {
      if (!isOn()) throw errors.transactions_missing();
      const made = await endpoints.create(
        { url, types: [...types] },
        { plugin, group, more: JSON.stringify(more) },
        secret,
      );
      return { endpoint: shown(made.endpoint), secret: made.secret };
    },
    async list(group) {
      return (await endpoints.list({ 'own.plugin': plugin, 'own.group': group })).map(shown);
    },
    async find(group, id) {
      const found = await find(group, id);
      return found && shown(found);
    },
    async change(group, id, { url, types, more, paused }) {
      if ((await find(group, id)) === null) return null;
      return shown(
        await endpoints.change(id, {
          ...(url !== undefined && { url }),
          ...(types !== undefined && { types: [...types] }),
          ...(more !== undefined && { 'own.more': JSON.stringify(more) }),
          ...(paused !== undefined && { paused }),
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
  };
}

function shown({ _id, url, types, paused, own, createdAt }: EndpointDocument): OwnEndpoint {
  return { id: _id, url, types, paused, more: JSON.parse(own?.more ?? '{}') as object, createdAt };
}
