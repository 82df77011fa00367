/** Webhooks: endpoints get what plugins changed, signed, in order, at least once. */
import {
  AUTH,
  CHANGES,
  CLOCK,
  definePlugin,
  isStorageError,
  OBSERVERS,
  scoped,
  SECRETS,
  STORAGE,
  type Changes,
  type Collection,
  type Storage,
} from 'plugboard/sdk';
import { courier } from './attempt.js';
import { DELIVERIES, ENDPOINTS, type DeliveryDocument, type EndpointDocument } from './documents.js';
import { Endpoints } from './endpoints.js';
import { Forms } from './forms.js';
import { listenerRoutes } from './listener-routes.js';
import { Listeners } from './listeners.js';
import { forget, note } from './outbox.js';
import { ownEndpoints } from './own-endpoints.js';
import { routes } from './routes.js';
import { Config } from './schema.js';
import { Sender } from './sender.js';

export default definePlugin({
  name: 'changes',
  api: 1,
  summary: 'tells endpoints what changed: signed webhooks with retries, in order for a subject',
  config: Config,
  prefix: '/api/changes',
  needs: { storage: STORAGE, auth: AUTH, secrets: SECRETS, clock: CLOCK, observers: OBSERVERS },
  provides: { changes: CHANGES },
  scopes: { changes: 'manage the endpoints that are told of changes, and see what was delivered' },
  setup({ config, needs: { storage, auth, secrets, clock, observers }, log, signal, onStop }) {
    const endpointDocuments = storage.collection<EndpointDocument>(ENDPOINTS);
    const deliveries = storage.collection<DeliveryDocument>(DELIVERIES);
    const { allowPrivate, maxEndpoints, poll } = config;
    const forms = new Forms();
    const listeners = new Listeners(endpointDocuments);
    const outbox = { endpoints: endpointDocuments, deliveries, listeners, forms, clock, observers };
    const endpoints = new Endpoints({ ...outbox, secrets, allowPrivate, maxEndpoints });
    const sends = courier(allowPrivate);
    let on = false;
    let running: Promise<unknown> | undefined;
    onStop(async () => {
      await running;
      await sends.close();
    });
    const changes = scoped(({ id }): Changes => ({
      get on() {
        return on;
      },
      wants: (type, group) => on && listeners.want(id, type, group),
      forget: (tx, changes) => (on ? forget(outbox, tx, id, changes) : Promise.resolve()),
      record: (tx, ...noted) => (on ? note(outbox, tx, id, noted) : Promise.resolve()),
      own(form) {
        forms.add(id, form);
        return ownEndpoints(id, { endpoints, outbox, isOn: () => on });
      },
    }));
    return {
      provides: { changes },
      routes: (app) => {
        const parts = { auth, clock, endpoints, deliveries, isOn: () => on };
        routes(app, parts);
        listenerRoutes(app, { ...parts, poll, signal });
      },
      pages: [
        {
          console: 1,
          id: 'webhooks',
          title: 'Webhooks',
          group: 'Services',
          scope: 'changes',
          module: new URL('./console/webhooks.page.js', import.meta.url),
        },
      ],
      start: async () => {
        on = await hasTransactions(storage, endpointDocuments);
        if (on) {
          const sender = new Sender(
            { endpoints, deliveries, courier: sends, forms, clock, log, poll },
            signal,
          );
          running = Promise.all([sender.run(), listeners.follow({ log, signal })]);
        } else log.warn('changes are off: this MongoDB has no transactions; run it as a replica set');
      },
    };
  },
});

async function hasTransactions(storage: Storage, collection: Collection<EndpointDocument>): Promise<boolean> {
  try {
    await storage.transaction((tx) => collection.with(tx).findOne({ _id: '' }));
    return true;
  } catch (error) {
    if (isStorageError(error, 'unsupported')) return false;
    throw error;
  }
}
