/** Puts the router together. Every resource is released by `onStop`. */
import type {
  Auth,
  Changes,
  Clock,
  ErrorRenderer,
  Logger,
  Metrics,
  Observers,
  RateLimitCategory,
  Secrets,
  Storage,
} from 'plugboard/sdk';
import { openAllowances } from './allowances/open.js';
import { AnswerCache } from './cache/answer-cache.js';
import { Caller } from './call/call.js';
import { Meter } from './call/meter.js';
import type { CallContext } from './call/model-request.js';
import { Catalog } from './catalog.js';
import { errorDialectOf } from './dialects/errors.js';
import { Estimator } from './estimate/estimator.js';
import { Fleet } from './fleet/fleet.js';
import { StoredUpstreams } from './fleet/stored-upstreams.js';
import { AnswerGuards } from './guards/guards.js';
import { configuredGuard } from './guards/open.js';
import { Interceptors } from './interceptors.js';
import { ModelDiscovery } from './models-list.js';
import { Prices } from './money/prices.js';
import type { RouteParts } from './route-parts.js';
import type { RouterConfig } from './schema.js';
import { Router } from './service.js';
import { RecordedTexts } from './texts/recorded-texts.js';
import { UpstreamReport } from './upstream/report.js';
import { UsageLedger } from './usage/ledger.js';
import { CallMetrics } from './usage/metrics.js';
import { tokensTaken, type UsageRecord } from './usage/record.js';
import { UsageStore } from './usage/store.js';

interface Needs {
  readonly storage: Storage;
  readonly auth: Auth;
  readonly clock: Clock;
  readonly errors: ErrorRenderer;
  readonly metrics: Metrics;
  readonly secrets: Secrets;
  readonly observers: Observers;
  readonly limit: RateLimitCategory | undefined;
  readonly changes: Changes | undefined;
  readonly log: Logger;
  readonly signal: AbortSignal;
  readonly onStop: (release: () => unknown) => void;
}

export interface OpenRouter extends RouteParts {
  readonly catalog: Catalog;
  readonly cache: AnswerCache | undefined;
  /** Reads what is in storage, and asks upstreams what they serve. */
  start(): Promise<void>;
}

export async function openRouter(config: RouterConfig, needs: Needs): Promise<OpenRouter> {
  const {
    storage,
    auth,
    clock,
    errors: renderer,
    metrics,
    secrets,
    observers,
    limit,
    changes,
    log,
    signal,
    onStop,
  } = needs;
  const { breaker, cooldown, timeouts, maxAttempts, maxAnswerBytes, maxBodyBytes, maxUploadBytes } = config;
  const { keepDays } = config.usage;
  const prices = new Prices(config.prices);
  const usage = new UsageStore(storage, keepDays);
  const ledger = new UsageLedger((batch) => usage.add(batch), log);
  onStop(() => ledger.close());

  const policies = { breaker, cooldown, connect: timeouts.connect };
  const fleet = new Fleet(policies, new UpstreamReport(log, metrics), () => observers.carried());
  onStop(() => fleet.close());
  await fleet.begin(config.upstreams);
  const catalog = new Catalog(config, fleet.upstreams);
  const discovery = new ModelDiscovery(catalog, clock, log);
  fleet.changed = (members) => {
    catalog.serve(members);
    discovery.forget();
    void prices.load();
  };
  const follow = fleet.follow.bind(fleet);
  const storedUpstreams = new StoredUpstreams({ storage, secrets, log, follow });

  const calls = new CallMetrics(metrics);
  const texts =
    config.texts === undefined ? undefined : new RecordedTexts(config.texts, { storage, secrets, log });
  if (texts !== undefined) onStop(() => texts.close());
  const record = (call: UsageRecord, context: CallContext): void => {
    ledger.record(call);
    calls.observe(call);
    limit?.spend(context.caller, tokensTaken(call));
    if (context.texts !== undefined) texts?.keep(call, context.texts);
  };
  const allowances = openAllowances(config, { storage, prices, changes, clock, log, onStop });
  const estimator = new Estimator();
  onStop(() => estimator.close());
  const meter = new Meter({ prices, allowances: allowances.allowances, estimator, clock, record });
  const caller = new Caller(catalog, meter, { total: timeouts.total, maxAttempts }, { clock, observers });
  const interceptors = new Interceptors(timeouts.interceptors);
  const guards = new AnswerGuards();
  const limits = { ...timeouts, maxAnswerBytes };
  const salt = JSON.stringify(config.guards);
  const cache =
    config.cache === undefined
      ? undefined
      : new AnswerCache(config.cache, { storage, secrets, clock, log, salt });
  if (cache !== undefined) onStop(() => cache.close());
  const router = new Router({ catalog, caller, interceptors, guards, cache, texts, limits });
  onStop(router.guardChat(configuredGuard(config.guards)));
  return {
    auth,
    limit,
    clock,
    router,
    catalog,
    discovery,
    fleet,
    storedUpstreams,
    prices,
    ledger,
    usage,
    keepDays,
    estimator,
    maxBodyBytes,
    maxUploadBytes,
    allowances,
    texts,
    cache,
    configured: config.allowances,
    renderError: (error, request) =>
      JSON.stringify(renderer.render(error, errorDialectOf(request.path) ?? 'openai', request).body),
    async start() {
      void discovery.refresh();
      await Promise.all([
        allowances.stored.start({ log, signal }),
        storedUpstreams.start(signal),
        fleet.members.length > 0 && prices.load(),
      ]);
    },
  };
}
