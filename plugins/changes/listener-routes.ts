/** Listeners over HTTP: they ask for their changes, and confirm them. */
import { setTimeout as sleep } from 'node:timers/promises';
import { goneSignal, type Auth, type Routes } from 'plugboard/sdk';
import { errors } from './errors.js';
import { ask, confirm, pending, type PulledParts } from './pulled.js';
import { Confirmed, CreatedEndpoint, Id, NewListener, Pending } from './schema.js';
import { shownEndpoint } from './routes.js';

export interface ListenerRouteParts extends PulledParts {
  readonly auth: Auth;
  readonly isOn: () => boolean;
  /** Milliseconds between two looks. */
  readonly poll: number;
  /** The plugin's. */
  readonly signal: AbortSignal;
}

/** How long a request waits if there is nothing to send: proxies cut connections that are silent for a minute. */
const HELD = 20_000;

export function listenerRoutes(app: Routes, parts: ListenerRouteParts): void {
  const { auth, endpoints, isOn, poll, signal } = parts;
  /** By listener, ends its waiting request: only the newest waits, so the bound on listeners bounds these too. */
  const waiting = new Map<string, AbortController>();
  const onRequest = auth.guard(['management', 'bearer'], { scope: 'changes' });

  app.post(
    '/listeners',
    {
      onRequest,
      schema: {
        summary: 'Listen: changes are kept for whoever asks, until an hour after the last question',
        body: NewListener,
        response: { 201: CreatedEndpoint },
      },
    },
    async (request, reply) => {
      if (!isOn()) throw errors.transactions_missing();
      const { endpoint, secret } = await endpoints.listen(request.body.types);
      return reply.code(201).send({ ...shownEndpoint(endpoint), secret });
    },
  );

  app.get(
    '/listeners/:id/deliveries',
    {
      onRequest,
      schema: {
        summary: 'Ask for changes: the oldest that are not confirmed, as soon as there are any',
        params: Id,
        response: { 200: Pending },
      },
    },
    async ({ params: { id } }, reply) => {
      await ask(parts, id);
      waiting.get(id)?.abort();
      const later = new AbortController();
      waiting.set(id, later);
      const until = performance.now() + HELD;
      const ends = AbortSignal.any([signal, later.signal, goneSignal(reply)]);
      try {
        for (;;) {
          const deliveries = await pending(parts, id);
          if (deliveries.length > 0 || performance.now() > until || ends.aborted) return { deliveries };
          await sleep(poll, undefined, { signal: ends }).catch(() => {});
        }
      } finally {
        if (waiting.get(id) === later) waiting.delete(id);
      }
    },
  );

  app.post(
    '/listeners/:id/confirm',
    {
      onRequest,
      schema: {
        summary: 'Confirm changes: they are not told again',
        params: Id,
        body: Confirmed,
      },
    },
    async ({ params: { id }, body: { deliveries } }, reply) => {
      await confirm(parts, id, deliveries);
      return reply.code(204).send();
    },
  );
}
