/** Hooks of repositories over HTTP, if the server has the plugin `changes`. */
import {
  decodeCursor,
  encodeCursor,
  limited,
  linkHeader,
  type OwnDelivery,
  type OwnEndpoint,
  type RateLimitCategory,
  type Reply,
  type Request,
  type Routes,
} from 'plugboard/sdk';
import { validationFailed } from '../errors.js';
import { managedRepository, type AccessParts, type HookAction } from '../webhooks/access.js';
import type { Hooks, Place } from '../webhooks/hooks.js';
import { presentConfig, presentDelivery, presentHook, presentWholeDelivery } from '../webhooks/present.js';
import {
  ConfigChange,
  DeliveriesQuery,
  DeliveryPath,
  Hook,
  HookChange,
  HookConfig,
  HookDelivery,
  HookDeliveryList,
  HookList,
  HookPath,
  HooksPath,
  NewHook,
} from '../webhooks/schema.js';
import { addressOf, numberOf } from './addresses.js';

export interface HookRouteParts extends AccessParts {
  readonly hooks: Hooks;
  readonly limit: RateLimitCategory | undefined;
  readonly baseUrl: string | undefined;
  readonly prefix: string;
}

/** Deliveries per response. */
const LISTED = 30;
const MOST_LISTED = 100;

export function hookRoutes(app: Routes, parts: HookRouteParts): void {
  const { auth, hooks, limit } = parts;
  const guard = auth.guard(['bearer', 'token', 'basicUser'], { scope: 'events:write', tokenScope: [] });
  const hooksOf = limited(guard, limit);
  const list = '/repos/:owner/:repo/hooks';
  const one = `${list}/:hook_id`;

  const place = async (request: Request, reply: Reply, action: HookAction): Promise<Place> => {
    const repository = await managedRepository(parts, request, reply, action);
    const [owner = '', name = ''] = repository.name.split('/').map(encodeURIComponent);
    return { repository, url: `${addressOfApi(request, parts)}/repos/${owner}/${name}` };
  };
  const hook = async (request: Request, reply: Reply, action: HookAction): Promise<[Place, OwnEndpoint]> => {
    const at = await place(request, reply, action);
    return [at, await hooks.find(at, numberOf((request.params as { hook_id: string }).hook_id))];
  };
  const whole = async ({ url }: Place, endpoint: OwnEndpoint) =>
    presentHook(endpoint, await hooks.lastDelivery(endpoint), url);

  app.get(
    list,
    {
      ...hooksOf,
      schema: { summary: 'List the hooks of a repository', params: HooksPath, response: { 200: HookList } },
    },
    async (request, reply) => {
      const at = await place(request, reply, 'read');
      return Promise.all((await hooks.list(at)).map((endpoint) => whole(at, endpoint)));
    },
  );

  app.post(
    list,
    {
      ...hooksOf,
      schema: {
        summary: 'Create a hook, which is pinged at once',
        params: HooksPath,
        body: NewHook,
        response: { 201: Hook },
      },
    },
    async (request, reply) => {
      const at = await place(request, reply, 'write');
      const created = presentHook(await hooks.create(at, request.body), undefined, at.url);
      return reply.code(201).header('location', created.url).send(created);
    },
  );

  app.get(
    one,
    { ...hooksOf, schema: { summary: 'Read a hook', params: HookPath, response: { 200: Hook } } },
    async (request, reply) => whole(...(await hook(request, reply, 'read'))),
  );

  app.patch(
    one,
    {
      ...hooksOf,
      schema: {
        summary: 'Change a hook; a config replaces the one that is there, with its secret',
        params: HookPath,
        body: HookChange,
        response: { 200: Hook },
      },
    },
    async (request, reply) => {
      const [at, endpoint] = await hook(request, reply, 'write');
      return whole(at, await hooks.change(at, endpoint, request.body));
    },
  );

  app.delete(
    one,
    { ...hooksOf, schema: { summary: 'Delete a hook, with what was still to be sent', params: HookPath } },
    async (request, reply) => {
      await hooks.remove(...(await hook(request, reply, 'delete')));
      return reply.code(204).send();
    },
  );

  app.get(
    `${one}/config`,
    {
      ...hooksOf,
      schema: { summary: 'Read the config of a hook', params: HookPath, response: { 200: HookConfig } },
    },
    async (request, reply) => presentConfig((await hook(request, reply, 'read'))[1]),
  );

  app.patch(
    `${one}/config`,
    {
      ...hooksOf,
      schema: {
        summary: 'Change members of the config of a hook',
        params: HookPath,
        body: ConfigChange,
        response: { 200: HookConfig },
      },
    },
    async (request, reply) =>
      presentConfig(await hooks.changeConfig(...(await hook(request, reply, 'write')), request.body)),
  );

  app.post(
    `${one}/pings`,
    { ...hooksOf, schema: { summary: 'Send a ping to a hook', params: HookPath } },
    async (request, reply) => {
      await hooks.ping(...(await hook(request, reply, 'read')));
      return reply.code(204).send();
    },
  );

  app.post(
    `${one}/tests`,
    { ...hooksOf, schema: { summary: 'Send the newest push to a hook that wants pushes', params: HookPath } },
    async (request, reply) => {
      await hooks.test(...(await hook(request, reply, 'write')));
      return reply.code(204).send();
    },
  );

  app.get(
    `${one}/deliveries`,
    {
      ...hooksOf,
      schema: {
        summary: 'List what was sent to a hook, newest first',
        params: HookPath,
        querystring: DeliveriesQuery,
        response: { 200: HookDeliveryList },
      },
    },
    async (request, reply) => {
      const [{ repository, url }, endpoint] = await hook(request, reply, 'read');
      const { per_page: size, cursor, status } = request.query;
      const limitOf = Math.min(MOST_LISTED, numberOf(size ?? '') || LISTED);
      const after = cursor === undefined ? undefined : placeAt(cursor);
      const found = await hooks.deliveries(endpoint, { limit: limitOf + 1, ...(after && { after }) });
      const last = found.length > limitOf ? found[limitOf - 1] : undefined;
      if (last !== undefined) {
        const next = new URLSearchParams({ per_page: String(limitOf), cursor: cursorOf(last) });
        if (status !== undefined) next.set('status', status);
        const { deliveries_url: deliveries } = presentHook(endpoint, undefined, url);
        void reply.header('link', linkHeader({ next: `${deliveries}?${next.toString()}` }));
      }
      return found
        .slice(0, limitOf)
        .filter(({ last: { error } }) => status === undefined || (status === 'success') === (error === null))
        .map((delivery) => presentDelivery(delivery, repository));
    },
  );

  app.get(
    `${one}/deliveries/:delivery_id`,
    {
      ...hooksOf,
      schema: {
        summary: 'Read what was sent to a hook',
        params: DeliveryPath,
        response: { 200: HookDelivery },
      },
    },
    async (request, reply) => {
      const [{ repository }, endpoint] = await hook(request, reply, 'read');
      const found = await hooks.delivery(endpoint, numberOf(request.params.delivery_id));
      return presentWholeDelivery(found, endpoint, repository);
    },
  );

  app.post(
    `${one}/deliveries/:delivery_id/attempts`,
    { ...hooksOf, schema: { summary: 'Send to a hook again', params: DeliveryPath } },
    async (request, reply) => {
      const [, endpoint] = await hook(request, reply, 'write');
      await hooks.redeliver(endpoint, numberOf(request.params.delivery_id));
      return reply.code(202).send({});
    },
  );
}

function addressOfApi(request: Request, { baseUrl, prefix }: HookRouteParts): string {
  return `${baseUrl ?? addressOf(request)}${prefix === '/' ? '' : prefix}`;
}

function cursorOf({ id, createdAt }: OwnDelivery): string {
  return encodeCursor([createdAt.getTime(), id]);
}

function placeAt(cursor: string): Pick<OwnDelivery, 'id' | 'createdAt'> {
  const [time, id] = [decodeCursor(cursor)].flat() as unknown[];
  if (!Number.isSafeInteger(time) || typeof id !== 'string' || Math.abs(time as number) > 8.64e15)
    throw validationFailed({
      resource: 'Hook',
      field: 'cursor',
      code: 'invalid',
      message: 'cursor must be that of a Link',
    });
  return { id, createdAt: new Date(time as number) };
}
