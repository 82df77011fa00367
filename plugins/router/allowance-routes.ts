/** Allowances over HTTP: set and removed by the management; callers read the use of their own. */
import { Type, type Routes } from 'plugboard/sdk';
import { MOST_RULES } from './allowances/open.js';
import { NANO } from './allowances/rules.js';
import { Allowance } from './allowances/schema.js';
import { errors } from './errors.js';
import type { RouteParts } from './route-parts.js';

const LIST = '/api/allowances';
const ONE = `${LIST}/:name`;
const Name = Type.Object({ name: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$' }) });

/** `callers`: the scopes that may read their own. */
export function allowanceRoutes(
  app: Routes,
  { auth, allowances: { allowances, stored, windows }, configured }: RouteParts,
  callers: readonly string[],
): void {
  const onRequest = auth.guard('management');
  const tags = ['Allowances'];

  app.get(
    LIST,
    { onRequest, schema: { summary: 'List who may call what, and how much', tags } },
    async () => ({
      allowances: [
        ...Object.entries(configured).map(([name, rule]) => ({ name, ...rule, source: 'config' })),
        ...(await stored.list()).map(({ _id: name, rule }) => ({ name, ...rule, source: 'api' })),
      ],
    }),
  );

  app.put(
    ONE,
    {
      onRequest,
      schema: { summary: 'Make an allowance, or replace one', tags, params: Name, body: Allowance },
    },
    async ({ params: { name }, body }) => {
      if (Object.hasOwn(configured, name)) throw errors.allowance_in_config({ values: { name } });
      const known = await stored.list();
      if (known.length >= MOST_RULES && !known.some(({ _id }) => _id === name))
        throw errors.too_many_allowances({ values: { limit: MOST_RULES } });
      await stored.put({ _id: name, rule: body });
      return { name, ...body, source: 'api' };
    },
  );

  app.delete(
    ONE,
    { onRequest, schema: { summary: 'Delete an allowance', tags, params: Name } },
    async ({ params: { name } }, reply) => {
      if (Object.hasOwn(configured, name)) throw errors.allowance_in_config({ values: { name } });
      if (!(await stored.delete(name))) throw errors.allowance_not_found({ values: { name } });
      return reply.code(204).send();
    },
  );

  app.get(
    '/api/usage/allowances',
    {
      onRequest: auth.guard('bearer', { scope: callers }),
      schema: { summary: "Read how far the caller's own allowances are used", tags },
    },
    async (request) => {
      const standings = allowances.standings(auth.principal(request));
      const data = standings.map(async ({ id, rule, limit, ends, limitOf: { unit, per } }) => {
        const scale = unit === 'usd' ? NANO : 1;
        const used = (await windows.used(id)) ?? 0;
        return {
          rule,
          unit,
          per,
          limit: limit / scale,
          // Includes what instances hold for future calls.
          used: used / scale,
          remaining: Math.max(0, limit - used) / scale,
          resets: new Date(ends).toISOString(),
        };
      });
      return { data: await Promise.all(data) };
    },
  );
}
