/** Upstreams over HTTP: their status; those besides the config's are added, tested, given new keys and removed. */
import { Type, type Routes } from 'plugboard/sdk';
import { upstreamFaults } from './config-faults.js';
import { errors } from './errors.js';
import { localServer } from './fleet/local.js';
import { KeysBody, SECRET_MEMBERS, TryBody, UpstreamBody, UpstreamName } from './fleet/schema.js';
import { MOST_UPSTREAMS } from './fleet/stored-upstreams.js';
import type { RouteParts } from './route-parts.js';
import type { UpstreamSettings } from './schema.js';
import { tryTarget } from './trial/question.js';
import { statusOf } from './upstream/status.js';

const LIST = '/api/upstreams';
const ONE = `${LIST}/:name`;

export function upstreamRoutes(
  app: Routes,
  { auth, clock, fleet, storedUpstreams: stored, prices, router }: RouteParts,
): void {
  const onRequest = auth.guard('management');
  const tags = ['Upstreams'];

  /** The settings of one that may be changed here. */
  const changeable = async (name: string): Promise<UpstreamSettings> => {
    if (fleet.find(name)?.source === 'config') throw errors.upstream_in_config({ values: { name } });
    const settings = await stored.get(name);
    if (settings === undefined) throw errors.upstream_not_found({ values: { name } });
    return settings;
  };
  const shown = (name: string): object => {
    const member = fleet.find(name);
    if (member === undefined) throw errors.upstream_not_found({ values: { name } });
    const { source, settings, upstream } = member;
    const { dialect, wire, models, apiVersion } = settings;
    const more = { source, dialect, wire, models: models ?? null, apiVersion: apiVersion ?? null };
    return { ...statusOf(upstream, clock.now()), ...more };
  };

  app.get(
    LIST,
    { onRequest, schema: { summary: 'List the upstreams and how healthy each is', tags } },
    () => ({
      upstreams: fleet.upstreams.map(({ name }) => shown(name)),
    }),
  );

  app.get(
    `${LIST}/found`,
    { onRequest, schema: { summary: 'Look for a model server on this machine', tags } },
    async () => {
      const found = await localServer();
      return { found: found === undefined ? [] : [found] };
    },
  );

  app.put(
    ONE,
    {
      onRequest,
      schema: {
        summary: 'Add an upstream, or change one',
        description:
          'Keys and headers that are left out stay as they are, as long as the address does. They are sealed and never shown.',
        tags,
        params: UpstreamName,
        body: UpstreamBody,
      },
    },
    async ({ params: { name }, body }) => {
      if (fleet.find(name)?.source === 'config') throw errors.upstream_in_config({ values: { name } });
      const before = await stored.get(name);
      if (before === undefined && (await stored.list()).length >= MOST_UPSTREAMS)
        throw errors.too_many_upstreams({ values: { limit: MOST_UPSTREAMS } });
      const settings = changed(before, { name, ...body });
      for (const { path, message } of [...upstreamFaults(settings), ...variableFaults(settings)])
        throw errors.invalid_request({ values: { message }, param: path.join('.') || null });
      await stored.put(settings);
      return shown(name);
    },
  );

  app.put(
    `${ONE}/keys`,
    {
      onRequest,
      schema: {
        summary: 'Give an upstream new keys in place of its own',
        tags,
        params: UpstreamName,
        body: KeysBody,
      },
    },
    async ({ params: { name }, body: { apiKeys } }) => {
      const { apiKey: _, ...settings } = await changeable(name);
      await stored.put({ ...settings, apiKeys });
      return shown(name);
    },
  );

  app.delete(
    ONE,
    { onRequest, schema: { summary: 'Remove an upstream', tags, params: UpstreamName } },
    async ({ params: { name } }, reply) => {
      await changeable(name);
      await stored.delete(name);
      return reply.code(204).send();
    },
  );

  app.post(
    `${ONE}/try`,
    {
      onRequest,
      schema: {
        summary: 'Ask a model of an upstream one question, and say what works',
        tags,
        params: Type.Pick(UpstreamName, ['name']),
        body: TryBody,
      },
    },
    async ({ params: { name }, body: { model } }) => {
      const upstream = fleet.find(name)?.upstream;
      if (upstream === undefined) throw errors.upstream_not_found({ values: { name } });
      return tryTarget({ upstream, model }, { prices, limits: router.parts.limits });
    },
  );
}

function* variableFaults({
  apiKey,
  apiKeys = [],
}: UpstreamSettings): Generator<{ path: string[]; message: string }> {
  for (const key of [apiKey ?? '', ...apiKeys])
    if (key.startsWith('${'))
      yield { path: ['apiKey'], message: 'variables in ${...} are of the config alone: give the key itself' };
}

/** A key is bound to its address: changing the address must not reveal it. */
function changed(
  before: UpstreamSettings | undefined,
  { headers, ...body }: Omit<UpstreamSettings, 'headers'> & { headers?: UpstreamSettings['headers'] },
): UpstreamSettings {
  const keeps =
    before?.baseUrl === body.baseUrl && before?.dialect === body.dialect && before?.ca === body.ca;
  const gives = SECRET_MEMBERS.some((member) => member !== 'headers' && body[member] !== undefined);
  const { apiKey, apiKeys } = keeps && !gives ? before : body;
  const kept = keeps ? before.headers : {};
  return {
    ...body,
    headers: headers ?? kept,
    ...(apiKey !== undefined && { apiKey }),
    ...(apiKeys !== undefined && { apiKeys }),
  };
}
