/** The list of models, in the form of each vendor's clients. */
import type { ModelInfo, Routes } from 'plugboard/sdk';
import { adoptKey } from './credentials.js';
import { findModel, modelsNow } from './models-list.js';
import type { RouteParts } from './route-parts.js';

/** `prefixes`: the bases of OpenAI's API; `readers`: the scopes that may see it. */
export function modelRoutes(
  app: Routes,
  prefixes: readonly string[],
  parts: RouteParts,
  readers: readonly string[],
): void {
  const onRequest = [adoptKey, parts.auth.guard('bearer', { scope: readers })];
  const listSchema = {
    summary: 'List the models and routes that may be called',
    description:
      "In Anthropic's words where the header `anthropic-version` is sent, in Google's where `x-goog-api-key` is.",
  };
  for (const prefix of prefixes) {
    app.get(`${prefix}/models`, { onRequest, schema: listSchema }, async ({ headers }) => {
      const models = await modelsNow(parts);
      return wordsOf(headers).list(models);
    });
    app.get<{ Params: { '*': string } }>(
      `${prefix}/models/*`,
      { onRequest, schema: { summary: 'Read one model' } },
      async ({ params, headers }) => {
        const model = await findModel(parts, params['*']);
        return wordsOf(headers).one(model);
      },
    );
  }
  app.get(
    '/v1beta/models',
    { onRequest, schema: { summary: "List the models and routes, in Google's words" } },
    async () => googleList(await modelsNow(parts)),
  );
  app.get<{ Params: { '*': string } }>(
    '/v1beta/models/*',
    { onRequest, schema: { summary: "Read one model, in Google's words" } },
    async ({ params }) => googleModel(await findModel(parts, params['*'])),
  );
}

/** How the client of a vendor wants it, which its own headers show. */
function wordsOf(headers: Readonly<Record<string, unknown>>) {
  if (headers['anthropic-version'] !== undefined) return { list: anthropicList, one: anthropicModel };
  const isGoogle = headers['x-goog-api-key'] !== undefined || headers['x-goog-api-client'] !== undefined;
  return isGoogle ? { list: googleList, one: googleModel } : { list: openAiList, one: openAiModel };
}

function googleList(models: readonly ModelInfo[]): object {
  return { models: models.map(googleModel) };
}

function openAiList(models: readonly ModelInfo[]): object {
  return { object: 'list', data: models.map(openAiModel) };
}

function openAiModel({ id, upstream, kind, dimensions }: ModelInfo): object {
  return { id, object: 'model', created: 0, owned_by: upstream ?? 'plugboard', kind, dimensions };
}

/** All on one page. */
function anthropicList(models: readonly ModelInfo[]): object {
  const [first, last] = [models[0]?.id ?? null, models.at(-1)?.id ?? null];
  return { data: models.map(anthropicModel), has_more: false, first_id: first, last_id: last };
}

function anthropicModel({ id }: ModelInfo): object {
  return { type: 'model', id, display_name: id, created_at: new Date(0).toISOString() };
}

const GENERATES = ['generateContent', 'streamGenerateContent', 'countTokens'];
const EMBEDS = ['embedContent', 'batchEmbedContents'];

function googleModel({ id, kind }: ModelInfo): object {
  const methods =
    kind === 'embedding'
      ? EMBEDS
      : kind === 'chat'
        ? GENERATES
        : kind === 'unknown'
          ? [...GENERATES, ...EMBEDS]
          : [];
  return { name: `models/${id}`, version: '', displayName: id, supportedGenerationMethods: methods };
}
