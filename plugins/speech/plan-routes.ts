/** Plans over HTTP: the seconds that a key may speak in a month. */
import type { Auth, Routes } from 'plugboard/sdk';
import type { Plan, Plans } from './allowance/plans.js';
import { errors } from './errors.js';
import { PlanAnswer, PlanBody, PlanKey, PlanList } from './schema.js';

const PATH = '/api/v1/plans';

export function planRoutes(app: Routes, { auth, plans }: { auth: Auth; plans: Plans }): void {
  const onRequest = auth.guard('management');
  const tags = ['Speech'];
  const one = `${PATH}/:key`;
  /** Plans are shown and stored only for existing keys. */
  const existing = async (key: string): Promise<string> => {
    if ((await auth.keys.byId(key)) === null) throw errors.key_not_found({ values: { key }, param: 'key' });
    return key;
  };

  app.get(
    PATH,
    {
      onRequest,
      schema: { summary: 'List the keys with a plan of their own', tags, response: { 200: PlanList } },
    },
    async () => ({ plans: (await plans.list()).map(answer) }),
  );

  app.get(
    one,
    { onRequest, schema: { summary: "A key's plan", tags, params: PlanKey, response: { 200: PlanAnswer } } },
    async (request) => answer(await plans.of(await existing(request.params.key))),
  );

  app.put(
    one,
    {
      onRequest,
      schema: {
        summary: "Set a key's plan",
        tags,
        params: PlanKey,
        body: PlanBody,
        response: { 200: PlanAnswer },
      },
    },
    async (request) => answer(await plans.set(await existing(request.params.key), request.body.seconds)),
  );

  app.delete(
    one,
    {
      onRequest,
      schema: {
        summary: "Take a key's plan away: the config's holds",
        tags,
        params: PlanKey,
        response: { 200: PlanAnswer },
      },
    },
    async (request) => answer(await plans.reset(await existing(request.params.key))),
  );
}

function answer({ key, seconds, isDefault }: Plan) {
  return { key, seconds, is_default: isDefault };
}
