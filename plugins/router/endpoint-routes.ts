/** Everything but conversations at the paths of OpenAI's API, and Cohere's of rerank. */
import { limited, type Reply, type Request, type Routes, type TSchema } from 'plugboard/sdk';
import { RequestBody } from './call/request-body.js';
import { adoptKey } from './credentials.js';
import { embeddingsCall, type EmbeddingsRequest } from './endpoints/embeddings.js';
import { imagesCall } from './endpoints/images.js';
import type { JsonCall, NamesModel } from './endpoints/json-calls.js';
import { moderationsCall } from './endpoints/moderations.js';
import { rerankCall, type RerankRequest } from './endpoints/rerank.js';
import { textCompletionsCall } from './endpoints/text-completions.js';
import { callOf, sendEvents, sendJson, type RouteParts } from './route-parts.js';
import {
  CompletionsBody,
  DeploymentEmbeddingsBody,
  EmbeddingsBody,
  ImagesBody,
  ModerationsBody,
  RerankBody,
} from './bodies.js';

interface Endpoint {
  readonly path: string;
  readonly scope: string;
  readonly summary: string;
  readonly body: TSchema;
  readonly purpose: string;
  call(body: RequestBody<NamesModel>): JsonCall;
}

const RERANK: Omit<Endpoint, 'path'> = {
  scope: 'rerank',
  summary: 'Order documents by how well they fit a query',
  body: RerankBody,
  purpose: 'rerank',
  call: (body) => rerankCall(body as RequestBody<RerankRequest>),
};

const ENDPOINTS: readonly Endpoint[] = [
  {
    path: '/embeddings',
    scope: 'embeddings',
    summary: 'Make embeddings of texts',
    body: EmbeddingsBody,
    purpose: 'embeddings',
    call: (body) => embeddingsCall(body as RequestBody<EmbeddingsRequest>),
  },
  { path: '/rerank', ...RERANK },
  {
    path: '/images/generations',
    scope: 'images',
    summary: 'Make pictures from a text',
    body: ImagesBody,
    purpose: 'images.generations',
    call: imagesCall,
  },
  {
    path: '/moderations',
    scope: 'moderations',
    summary: 'Judge texts and pictures by a policy',
    body: ModerationsBody,
    purpose: 'moderations',
    call: moderationsCall,
  },
];

/** `prefixes`: the bases of OpenAI's API. */
export function endpointRoutes(app: Routes, prefixes: readonly string[], parts: RouteParts): void {
  const { auth, limit, router, maxBodyBytes } = parts;
  const config = { keepBodyText: true };
  const guarded = (scope: string) => limited(auth.guard('bearer', { scope }), limit);

  const { onRequest } = guarded('embeddings');
  const azure = { onRequest: [adoptKey, ...onRequest] };

  const mount = (prefix: string, { path, scope, summary, body, purpose, call }: Endpoint): void => {
    const options = { ...guarded(scope), config, bodyLimit: maxBodyBytes, schema: { summary, body } };
    app.post(prefix + path, options, async (request, reply) => {
      const asked = call(new RequestBody(request.body as NamesModel, request.bodyText));
      return sendJson(reply, await router.answer(asked, callOf(auth, request, reply, purpose)));
    });
  };
  for (const prefix of prefixes) {
    for (const endpoint of ENDPOINTS) mount(prefix, endpoint);
    app.post(
      `${prefix}/completions`,
      {
        ...guarded('chat'),
        config,
        bodyLimit: maxBodyBytes,
        schema: { summary: 'Continue a text', body: CompletionsBody },
      },
      (request, reply) => continueText(request, reply, parts),
    );
  }
  mount('/v2', { path: '/rerank', ...RERANK });

  // Azure's clients name the deployment in the path; a model's name has slashes of its own.
  for (const deployment of [':upstream', ':upstream/:model', ':upstream/:vendor/:model'])
    app.post<{ Params: Readonly<Record<string, string>> }>(
      `/openai/deployments/${deployment}/embeddings`,
      {
        ...azure,
        bodyLimit: maxBodyBytes,
        schema: {
          summary: 'Make embeddings with the deployment that the path names',
          body: DeploymentEmbeddingsBody,
        },
      },
      async (request, reply) => {
        const model = Object.values(request.params).join('/');
        const body = new RequestBody({ ...(request.body as EmbeddingsRequest), model });
        const call = callOf(auth, request, reply, 'embeddings');
        return sendJson(reply, await router.answer(embeddingsCall(body), call));
      },
    );
}

async function continueText(
  request: Request,
  reply: Reply,
  { auth, router, renderError }: RouteParts,
): Promise<Reply> {
  const value = request.body as NamesModel;
  const body = new RequestBody(value, request.bodyText);
  const call = callOf(auth, request, reply, 'completions');
  if (value['stream'] !== true)
    return sendJson(reply, await router.completeText(textCompletionsCall(body), call));
  return sendEvents(reply, await router.streamText(body, call, (error) => renderError(error, request)));
}
