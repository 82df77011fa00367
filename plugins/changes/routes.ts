/** Endpoints and deliveries over HTTP, for those who manage the server. */
import type { Auth, Clock, Collection, Filter, Routes } from 'plugboard/sdk';
import { NEVER, type DeliveryDocument, type DeliveryState, type EndpointDocument } from './documents.js';
import type { Endpoints } from './endpoints.js';
import { errors } from './errors.js';
import { redeliver } from './redeliver.js';
import {
  CreatedEndpoint,
  Delivery,
  DeliveryList,
  DeliveryQuery,
  Endpoint,
  EndpointChange,
  EndpointList,
  Id,
  NewEndpoint,
} from './schema.js';

export interface RouteParts {
  readonly auth: Auth;
  readonly clock: Clock;
  readonly endpoints: Endpoints;
  readonly deliveries: Collection<DeliveryDocument>;
  readonly isOn: () => boolean;
}

const LISTED = 100;

export function routes(app: Routes, { auth, clock, endpoints, deliveries, isOn }: RouteParts): void {
  const onRequest = auth.guard(['management', 'bearer'], { scope: 'changes' });

  app.post(
    '/endpoints',
    {
      onRequest,
      schema: {
        summary: 'Create an endpoint; its secret is shown once',
        body: NewEndpoint,
        response: { 201: CreatedEndpoint },
      },
    },
    async (request, reply) => {
      if (!isOn()) throw errors.transactions_missing();
      const { endpoint, secret } = await endpoints.create(request.body);
      return reply.code(201).send({ ...shownEndpoint(endpoint), secret });
    },
  );

  app.get(
    '/endpoints',
    { onRequest, schema: { summary: 'List the endpoints', response: { 200: EndpointList } } },
    async () => ({
      endpoints: (await endpoints.list()).map(shownEndpoint),
    }),
  );

  app.get(
    '/endpoints/:id',
    { onRequest, schema: { summary: 'Read an endpoint', params: Id, response: { 200: Endpoint } } },
    async ({ params: { id } }) => {
      const found = await endpoints.find(id);
      if (found === null) throw errors.endpoint_not_found({ values: { id } });
      return shownEndpoint(found);
    },
  );

  app.patch(
    '/endpoints/:id',
    {
      onRequest,
      schema: {
        summary: 'Change or pause an endpoint',
        params: Id,
        body: EndpointChange,
        response: { 200: Endpoint },
      },
    },
    async ({ params, body }) => shownEndpoint(await endpoints.change(params.id, body)),
  );

  app.delete(
    '/endpoints/:id',
    { onRequest, schema: { summary: 'Delete an endpoint, with what was still to be delivered', params: Id } },
    async ({ params }, reply) => {
      await endpoints.remove(params.id);
      return reply.code(204).send();
    },
  );

  app.get(
    '/deliveries',
    {
      onRequest,
      schema: {
        summary: 'List the newest hundred deliveries',
        querystring: DeliveryQuery,
        response: { 200: DeliveryList },
      },
    },
    async ({ query }) => {
      const options = { sort: { createdAt: -1, _id: -1 }, limit: LISTED, projection: { body: 0 } } as const;
      const found = await deliveries.find(query as Filter<DeliveryDocument>, options).toArray();
      return { deliveries: found.map(shownDelivery) };
    },
  );

  app.post(
    '/deliveries/:id/redeliver',
    {
      onRequest,
      schema: {
        summary: 'Deliver again what was delivered or given up',
        params: Id,
        response: { 202: Delivery },
      },
    },
    async ({ params: { id } }, reply) => {
      return reply.code(202).send(shownDelivery(await redeliver({ deliveries, clock }, { _id: id })));
    },
  );
}

export function shownEndpoint({
  _id,
  url,
  types,
  description,
  paused,
  pausedBecause,
  own,
  createdAt,
}: EndpointDocument) {
  return {
    id: _id,
    url,
    types: [...types],
    description,
    paused,
    paused_because: pausedBecause,
    managed_by: own?.plugin ?? null,
    created_at: createdAt.toISOString(),
  };
}

const OVER: ReadonlySet<DeliveryState> = new Set(['delivered', 'dead']);

function shownDelivery({ _id, createdAt, dueAt, last, ...delivery }: DeliveryDocument) {
  const { endpoint, change, type, subject, state, attempts } = delivery;
  return {
    id: _id,
    endpoint,
    change,
    type,
    subject,
    state,
    attempts,
    created_at: createdAt.toISOString(),
    due_at: OVER.has(state) || +dueAt === +NEVER ? null : dueAt.toISOString(),
    last: last && { at: last.at.toISOString(), status: last.status, error: last.error },
  };
}
