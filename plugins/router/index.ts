/** The router: an OpenAI-compatible endpoint over several upstreams, with balancing, failover and usage records. */
import {
  AUTH,
  CLOCK,
  definePlugin,
  ERRORS,
  METRICS,
  OBSERVERS,
  MODELS,
  RATE_LIMIT,
  STORAGE,
  type Principal,
  type Request,
  type ServiceError,
} from 'plugboard/sdk';
import { openAllowances } from './allowances/open.js';
import { Caller } from './call/call.js';
import { Meter } from './call/meter.js';
import { Catalog } from './catalog.js';
import { configFaults } from './config-faults.js';
import { errorDialectOf } from './dialects/errors.js';
import { errors } from './errors.js';
import { Estimator } from './estimate/estimator.js';
import { Interceptors } from './interceptors.js';
import { ModelDiscovery } from './models-list.js';
import { Prices } from './money/prices.js';
import { routes } from './routes.js';
import { Config } from './schema.js';
import { Router } from './service.js';
import { UpstreamReport } from './upstream/report.js';
import { readiness } from './upstream/status.js';
import { tryCommand } from './trial/command.js';
import type { Upstream } from './upstream/upstream.js';
import { UsageLedger } from './usage/ledger.js';
import { CallMetrics } from './usage/metrics.js';
import { tokensTaken, type UsageRecord } from './usage/record.js';
import { peopleData } from './usage/people.js';
import { UsageStore } from './usage/store.js';

export default definePlugin({
  name: 'router',
  api: 1,
  summary: 'chat completions, embeddings and rerank over several upstreams',
  config: Config,
  configFaults,
  needs: {
    storage: STORAGE,
    auth: AUTH,
    clock: CLOCK,
    errors: ERRORS,
    metrics: METRICS,
    observers: OBSERVERS,
  },
  wants: { limits: RATE_LIMIT },
  provides: { models: MODELS },
  exposedHeaders: [
    'x-plugboard-upstream',
    'x-plugboard-cost',
    'x-plugboard-omitted',
    'x-plugboard-estimated',
  ],
  scopes: {
    chat: 'chat completions',
    embeddings: 'embeddings',
    rerank: 'rerank',
    images: 'pictures made from a text',
    moderations: 'texts and pictures judged by a policy',
    transcriptions: 'recordings written down',
    usage: 'read what all keys have used',
  },
  dialect: 'openai',
  dialectOf: errorDialectOf,
  invalid: ({ message, path }) => errors.invalid_request({ values: { message }, param: path || null }),
  async setup({ config, needs, wants, log, onStop }) {
    const { storage, auth, clock, errors: renderer, metrics, observers } = needs;
    const limit = wants.limits?.category('chat');
    const { breaker, cooldown, timeouts, maxAnswerBytes, maxAttempts } = config;
    const report = new UpstreamReport(log, metrics);
    const upstreams: Upstream[] = [];
    for (const settings of config.upstreams) {
      // Its HTTP client is one of the largest packages, and a server without upstreams does not need it.
      const loaded = await import('./upstream/upstream.js');
      const policies = { breaker, cooldown, connect: timeouts.connect };
      const carried = () => observers.carried();
      const upstream = new loaded.Upstream(settings, policies, report, carried);
      onStop(() => upstream.close());
      upstreams.push(upstream);
    }
    const { keepDays } = config.usage;
    const usage = new UsageStore(storage, keepDays);
    const ledger = new UsageLedger((batch) => usage.add(batch), log);
    onStop(() => ledger.close());

    const catalog = new Catalog(config, upstreams);
    const discovery = new ModelDiscovery(catalog, clock, log);
    const calls = new CallMetrics(metrics);
    const record = (call: UsageRecord, caller: Principal): void => {
      ledger.record(call);
      calls.observe(call);
      limit?.spend(caller, tokensTaken(call));
    };
    const prices = new Prices(config.prices);
    const allowances = openAllowances(config, { storage, prices, clock, log, onStop });
    const estimator = new Estimator();
    onStop(() => estimator.close());
    const meter = new Meter({ prices, allowances: allowances.allowances, estimator, clock, record });
    const caller = new Caller(catalog, meter, { total: timeouts.total, maxAttempts }, { clock, observers });
    const interceptors = new Interceptors(timeouts.interceptors);
    const router = new Router(catalog, caller, interceptors, {
      ...timeouts,
      maxAnswerBytes,
    });
    const renderError = (error: ServiceError, request: Request): string =>
      JSON.stringify(renderer.render(error, errorDialectOf(request.path) ?? 'openai', request).body);
    return {
      provides: { models: router },
      commands: [tryCommand({ catalog, prices, limits: router.parts.limits })],
      pages: [
        {
          console: 1,
          id: 'router',
          title: 'Router',
          group: 'Models',
          scope: 'usage',
          module: new URL('./console/router.page.js', import.meta.url),
        },
      ],
      routes: (app) =>
        routes(app, {
          auth,
          limit,
          clock,
          router,
          discovery,
          upstreams,
          ledger,
          usage,
          keepDays,
          estimator,
          renderError,
          maxBodyBytes: config.maxBodyBytes,
          maxUploadBytes: config.maxUploadBytes,
          allowances,
          configured: config.allowances,
        }),
      async start() {
        void discovery.refresh();
        await Promise.all([allowances.stored.read(), upstreams.length > 0 && prices.load()]);
      },
      people: peopleData(usage, ledger),
      check: () =>
        Object.fromEntries(upstreams.map((upstream) => [upstream.name, readiness(upstream, clock.now())])),
    };
  },
});
