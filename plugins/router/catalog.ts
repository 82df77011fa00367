/** From the name in a request's `model` to the targets that may serve it. */
import type { ModelInfo } from 'plugboard/sdk';
import { errors } from './errors.js';
import type { RouterConfig, Unfit, UpstreamSettings } from './schema.js';
import { createStrategy, type Moment, type Strategy } from './strategy.js';
import { Load } from './upstream/load.js';
import type { Upstream } from './upstream/upstream.js';

export interface Target {
  readonly upstream: Upstream;
  /** The model's name at the upstream. */
  readonly model: string;
  readonly weight: number;
  readonly load: Load;
}

export interface Resolution {
  /** The name of the route; null when the client named an upstream's model itself. */
  readonly route: string | null;
  /** In the order in which they are tried. */
  readonly targets: readonly Target[];
  /** In what way a request may not fit a target and still go to the next one. */
  readonly fallbackOn: ReadonlySet<Unfit>;
}

interface Route {
  readonly fallbackOn: ReadonlySet<Unfit>;
  readonly strategy: Strategy;
  readonly targets: readonly Target[];
}

interface Served {
  readonly upstream: Upstream;
  /** Undefined: whatever the upstream knows. */
  readonly declared: ReadonlyMap<string, DeclaredModel> | undefined;
}

type DeclaredModel = Pick<ModelInfo, 'kind' | 'dimensions'>;

const NOTHING: ReadonlySet<Unfit> = new Set();

/** Characters of a model's name: what is longer names no model, and would be kept with each usage record. */
export const LONGEST_MODEL = 512;
/** How many names an error lists. */
const NAMED = 30;

export class Catalog {
  #upstreams: ReadonlyMap<string, Served>;
  readonly #routes: ReadonlyMap<string, Route>;
  /** What upstreams without declared models said that they serve. */
  readonly #discovered = new Map<string, readonly string[]>();

  /** For a config without faults (`configFaults`). */
  constructor(config: Pick<RouterConfig, 'upstreams' | 'routes'>, upstreams: readonly Upstream[]) {
    this.#upstreams = new Map(
      upstreams.map((upstream, at) => [
        upstream.name,
        { upstream, declared: declaredModels(config.upstreams[at]?.models) },
      ]),
    );
    this.#routes = new Map(
      Object.entries(config.routes).map(([name, route]) => [
        name,
        {
          fallbackOn: new Set(route.fallbackOn),
          strategy: createStrategy(route.strategy),
          targets: route.targets.map((target) => this.#target(target)),
        },
      ]),
    );
  }

  /** Replaces the upstreams. Routes keep theirs, which are the config's. */
  serve(upstreams: readonly { readonly upstream: Upstream; readonly settings: UpstreamSettings }[]): void {
    this.#upstreams = new Map(
      upstreams.map(({ upstream, settings }) => [
        upstream.name,
        { upstream, declared: declaredModels(settings.models) },
      ]),
    );
    for (const name of this.#discovered.keys()) if (!this.#upstreams.has(name)) this.#discovered.delete(name);
  }

  resolve(model: string, moment: Moment): Resolution {
    const route = this.#routes.get(model);
    if (route !== undefined)
      return {
        route: model,
        targets: route.strategy(route.targets, moment),
        fallbackOn: route.fallbackOn,
      };
    const { upstream, name } = this.#split(model);
    if (upstream === undefined || !serves(upstream, name) || model.length > LONGEST_MODEL) {
      throw this.#notFound(model);
    }
    return {
      route: null,
      targets: [{ upstream: upstream.upstream, model: name, weight: 1, load: new Load() }],
      fallbackOn: NOTHING,
    };
  }

  /** The upstream of the first target, without asking a strategy. */
  first(model: string): Upstream {
    const [target] =
      this.#routes.get(model)?.targets ??
      this.resolve(model, { now: performance.now(), mode: 'whole' }).targets;
    if (target === undefined) throw this.#notFound(model);
    return target.upstream;
  }

  /** Routes first, then the models of the upstreams, in the order of the config. */
  list(): ModelInfo[] {
    const routes = Array.from(this.#routes, ([id, { targets }]): ModelInfo => {
      const infos = targets.map(({ upstream, model }) => this.#describe(upstream.name, model));
      return {
        id,
        upstream: null,
        kind: agreed(infos.map(({ kind }) => kind)) ?? 'unknown',
        dimensions: agreed(infos.map(({ dimensions }) => dimensions)) ?? null,
        hasKey: infos.some(({ hasKey }) => hasKey),
      };
    });
    const models = Array.from(this.#upstreams, ([name, { declared }]) =>
      (declared === undefined ? (this.#discovered.get(name) ?? []) : [...declared.keys()]).map((model) =>
        this.#describe(name, model),
      ),
    );
    return [...routes, ...models.flat()];
  }

  /** The upstreams that must be asked what they serve. */
  undeclared(): Upstream[] {
    return [...this.#upstreams.values()]
      .filter(({ declared }) => declared === undefined)
      .map(({ upstream }) => upstream);
  }

  discovered(upstream: Upstream, models: readonly string[]): void {
    this.#discovered.set(upstream.name, models);
  }

  #describe(upstream: string, model: string): ModelInfo {
    const served = this.#upstreams.get(upstream);
    const { kind, dimensions } = served?.declared?.get(model) ?? declaredModel(model);
    const hasKey = (served?.upstream.keys.all.length ?? 0) > 0;
    return { id: `${upstream}/${model}`, upstream, kind, dimensions, hasKey };
  }

  #target(target: RouterConfig['routes'][string]['targets'][number]): Target {
    const { model, weight = 1 } = typeof target === 'string' ? { model: target } : target;
    const { upstream, name } = this.#split(model);
    if (upstream === undefined) throw new TypeError(`the target "${model}" has no upstream`);
    return { upstream: upstream.upstream, model: name, weight, load: new Load() };
  }

  #split(model: string): { prefix: string; name: string; upstream: Served | undefined } {
    const slash = model.indexOf('/');
    const prefix = slash === -1 ? model : model.slice(0, slash);
    const name = slash === -1 ? '' : model.slice(slash + 1);
    return { prefix, name, upstream: name === '' ? undefined : this.#upstreams.get(prefix) };
  }

  #notFound(model: string): Error {
    const open = this.undeclared().map(({ name }) => `${name}/...`);
    const names = [...new Set([...this.list().map(({ id }) => id), ...open])];
    const more = names.length > NAMED ? ` and ${names.length - NAMED} more (GET /v1/models)` : '';
    const hint =
      this.#upstreams.size === 0
        ? 'no upstream is configured: add one to plugins.router.upstreams, e.g. { name: openai, baseUrl: https://api.openai.com/v1, apiKey: "${OPENAI_API_KEY}" }'
        : `there are: ${names.slice(0, NAMED).join(', ')}${more}`;
    return errors.model_not_found({ values: { model: model.slice(0, 200), hint }, param: 'model' });
  }
}

function declaredModels(models: UpstreamSettings['models']): ReadonlyMap<string, DeclaredModel> | undefined {
  if (models === undefined) return undefined;
  return new Map(
    models.map((model) =>
      typeof model === 'string'
        ? [model, declaredModel(model)]
        : [model.name, { ...declaredModel(model.name), ...model }],
    ),
  );
}

/** What the name alone tells; a model whose name does not tell is declared with its `kind`. */
function declaredModel(name: string): DeclaredModel {
  const kind = /embed/i.test(name) ? 'embedding' : /rerank/i.test(name) ? 'rerank' : 'unknown';
  return { kind, dimensions: null };
}

function serves({ declared }: Served, model: string): boolean {
  return declared === undefined || declared.has(model);
}

function agreed<T>(values: readonly T[]): T | undefined {
  return new Set(values).size === 1 ? values[0] : undefined;
}
