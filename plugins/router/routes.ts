/** The router over HTTP: requests to the service and back. */
import {
  limited,
  principalId,
  whenAnswered,
  type Auth,
  type ChatRequest,
  type Clock,
  type RateLimitCategory,
  type Reply,
  type Request,
  type Routes,
  type ServiceError,
} from 'plugboard/sdk';
import type { CallContext } from './call/call.js';
import { HttpClient } from './call/client.js';
import { RequestBody } from './call/request-body.js';
import { errors } from './errors.js';
import { listAnswer, modelAnswer, type ModelDiscovery } from './models-list.js';
import { CallsQuery, ChatBody, EmbeddingsBody, RerankBody, UsageQuery } from './schema.js';
import type { Answer, EmbeddingsRequest, RerankRequest, Router } from './service.js';
import { statusOf } from './upstream/status.js';
import type { Upstream } from './upstream/upstream.js';
import { listCalls, type CallPage } from './usage/calls.js';
import type { UsageLedger } from './usage/ledger.js';
import { dayRange, usageRange } from './usage/range.js';
import type { UsageStore } from './usage/store.js';
import { summarize } from './usage/summary.js';

export interface RouteParts {
  readonly auth: Auth;
  /** Bounds the calls of models; undefined when no plugin limits requests. */
  readonly limit: RateLimitCategory | undefined;
  readonly clock: Clock;
  readonly router: Router;
  readonly discovery: ModelDiscovery;
  readonly upstreams: readonly Upstream[];
  readonly ledger: UsageLedger;
  readonly usage: UsageStore;
  readonly keepDays: number;
  /** An error's body as JSON, for the event that ends a stream. */
  readonly maxBodyBytes: number;
  readonly renderError: (error: ServiceError, request: Request) => string;
}

/** The `openai` client's default base, and the prefix of our other routes. */
const PREFIXES = ['/v1', '/api/v1'] as const;

export function routes(app: Routes, parts: RouteParts): void {
  for (const prefix of PREFIXES) modelRoutes(app, prefix, parts);
  managementRoutes(app, parts);
}

function modelRoutes(
  app: Routes,
  prefix: string,
  { auth, limit, router, discovery, renderError, maxBodyBytes }: RouteParts,
): void {
  const list = auth.guard('bearer', { scope: ['chat', 'embeddings', 'rerank'] });
  const guarded = (scope: string) => limited(auth.guard('bearer', { scope }), limit);
  const context = (request: Request, reply: Reply, purpose: string): CallContext => ({
    caller: auth.principal(request),
    purpose,
    client: new HttpClient(reply.raw, (gone) => whenAnswered(reply, gone)),
    passed: traceOf(request),
  });

  const config = { keepBodyText: true };

  app.post(
    `${prefix}/chat/completions`,
    { ...guarded('chat'), config, bodyLimit: maxBodyBytes, schema: { body: ChatBody } },
    async (request, reply) => {
      const body = new RequestBody(request.body as ChatRequest, request.bodyText);
      const call = { ...context(request, reply, 'chat.completions'), headers: request.headers };
      if (body.value.stream !== true) return sendJson(reply, await router.chatAnswer(body, call));
      const describe = (error: ServiceError): string => `data: ${renderError(error, request)}\n\n`;
      const { events, upstream } = await router.chatStream(body, call, describe);
      return reply
        .headers({ 'x-plugboard-upstream': upstream, 'cache-control': 'no-cache', 'x-accel-buffering': 'no' })
        .type('text/event-stream; charset=utf-8')
        .send(events);
    },
  );

  app.post(
    `${prefix}/embeddings`,
    { ...guarded('embeddings'), config, bodyLimit: maxBodyBytes, schema: { body: EmbeddingsBody } },
    async (request, reply) => {
      const body = new RequestBody<EmbeddingsRequest>(request.body, request.bodyText);
      return sendJson(reply, await router.embeddingsAnswer(body, context(request, reply, 'embeddings')));
    },
  );

  app.post(
    `${prefix}/rerank`,
    { ...guarded('rerank'), config, bodyLimit: maxBodyBytes, schema: { body: RerankBody } },
    async (request, reply) => {
      const body = new RequestBody<RerankRequest>(request.body, request.bodyText);
      return sendJson(reply, await router.rerankAnswer(body, context(request, reply, 'rerank')));
    },
  );

  app.get(`${prefix}/models`, { onRequest: list }, async () => {
    await discovery.refresh();
    return listAnswer(router.list());
  });

  app.get<{ Params: { '*': string } }>(`${prefix}/models/*`, { onRequest: list }, async ({ params }) => {
    await discovery.refresh();
    const model = router.list().find(({ id }) => id === params['*']);
    if (model !== undefined) return modelAnswer(model);
    throw errors.model_not_found({
      values: { model: params['*'], hint: 'GET /v1/models lists the models there are' },
      param: 'model',
    });
  });
}

function managementRoutes(
  app: Routes,
  { auth, clock, upstreams, ledger, usage, keepDays }: RouteParts,
): void {
  const readUsage = auth.guard('management', { scope: 'usage' });

  app.get('/api/upstreams', { onRequest: auth.guard('management') }, () => ({
    upstreams: upstreams.map((upstream) => statusOf(upstream, clock.now())),
  }));

  app.get('/api/usage', { onRequest: readUsage, schema: { querystring: UsageQuery } }, async ({ query }) => {
    const now = clock.now();
    const range = usageRange(query, now, keepDays);
    await ledger.flush();
    return summarize(usage.between(range, now), range, query.group);
  });

  const calls = async ({ day, limit, after, ...query }: CallsQuery): Promise<CallPage> => {
    const range = usageRange(day === undefined ? query : dayRange(day), clock.now(), keepDays);
    await ledger.flush();
    return listCalls(usage, range, query, { limit, after });
  };

  app.get('/api/usage/calls', { onRequest: readUsage, schema: { querystring: CallsQuery } }, ({ query }) =>
    calls(query),
  );

  // A key that may call may also read its own calls, and no others.
  const own = auth.guard('bearer', { scope: ['chat', 'embeddings', 'rerank'] });
  app.get('/api/usage/own', { onRequest: own, schema: { querystring: CallsQuery } }, (request) =>
    calls({ ...request.query, key: principalId(auth.principal(request)) }),
  );
}

/** The W3C trace context goes on to the upstream; longer values than this need not be passed on. */
const LONGEST_TRACE = 512;

function traceOf({ headers }: Request): readonly string[] {
  const { traceparent } = headers;
  if (typeof traceparent !== 'string' || traceparent.length > LONGEST_TRACE) return NONE;
  const { tracestate } = headers;
  if (typeof tracestate !== 'string' || tracestate.length > LONGEST_TRACE)
    return ['traceparent', traceparent];
  return ['traceparent', traceparent, 'tracestate', tracestate];
}

const NONE: readonly string[] = [];

function sendJson(reply: Reply, { body, upstream }: Answer): Reply {
  return reply.header('x-plugboard-upstream', upstream).type('application/json; charset=utf-8').send(body);
}
