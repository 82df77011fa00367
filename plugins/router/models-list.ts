/** The list of models; asks upstreams without declared models what they serve. */
import type { Clock, Logger, ModelInfo, Models } from 'plugboard/sdk';
import type { Catalog } from './catalog.js';
import { errors } from './errors.js';
import { versionOf } from './call/passed-headers.js';
import type { UpstreamKey } from './upstream/keys.js';
import type { Upstream } from './upstream/upstream.js';

/** Milliseconds between two questions to the same upstream, and for its answer. */
const FRESH = 60_000;
const PATIENCE = 2_000;
const MAX_BYTES = 4 * 1_024 * 1_024;

export class ModelDiscovery {
  readonly #catalog: Catalog;
  readonly #clock: Clock;
  readonly #log: Logger;
  #asked: { at: number; done: Promise<void> } | undefined;

  constructor(catalog: Catalog, clock: Clock, log: Logger) {
    this.#catalog = catalog;
    this.#clock = clock;
    this.#log = log;
  }

  /** The next time that somebody asks, all are asked. */
  forget(): void {
    this.#asked = undefined;
  }

  /** Asks if the last answer is old. An upstream that does not answer keeps its list. */
  refresh(): Promise<void> {
    const now = this.#clock.now();
    if (this.#asked === undefined || now - this.#asked.at >= FRESH) {
      const all = this.#catalog.undeclared().map((upstream) => this.#ask(upstream));
      this.#asked = { at: now, done: Promise.all(all).then(() => {}) };
    }
    return this.#asked.done;
  }

  async #ask(upstream: Upstream): Promise<void> {
    try {
      const names = await modelsOf(upstream, this.#clock.now());
      if (names !== undefined) this.#catalog.discovered(upstream, names);
    } catch (error) {
      this.#log.debug({ err: error, upstream: upstream.name }, 'an upstream did not list its models');
    }
  }
}

/** The models it reports; undefined if it has no such request. Throws if it does not answer. */
export async function modelsOf(upstream: Upstream, now = Date.now()): Promise<string[] | undefined> {
  const key = upstream.keys.any(now);
  const path = upstream.kind.models;
  if (key === undefined || path === undefined) return undefined;
  return namesIn(await listOf(upstream, path, key));
}

/** OpenAI's and Anthropic's lists of ids, and Google's of names. */
function namesIn(text: string): string[] {
  const list = JSON.parse(text) as { data?: { id: unknown }[]; models?: { name: unknown }[] };
  const google = list.models?.map(({ name }) => String(name).replace(/^models\//, ''));
  return google ?? (list.data ?? []).map(({ id }) => String(id));
}

async function listOf(upstream: Upstream, path: string, key: UpstreamKey): Promise<string> {
  const answer = upstream.get(path, key, versionOf(upstream));
  const patience = setTimeout(() => answer.abort(new Error(`no answer in ${PATIENCE} ms`)), PATIENCE);
  try {
    await answer.begun;
    const text = await answer.text(MAX_BYTES);
    if (answer.status !== 200) throw new Error(`status ${answer.status}`);
    return text;
  } finally {
    clearTimeout(patience);
  }
}

interface Listing {
  readonly discovery: ModelDiscovery;
  readonly router: Models;
}

/** The models and routes that may be called, with what upstreams serve at the moment. */
export async function modelsNow({ discovery, router }: Listing): Promise<readonly ModelInfo[]> {
  await discovery.refresh();
  return router.list();
}

/** Throws `model_not_found`. */
export async function findModel(listing: Listing, name: string): Promise<ModelInfo> {
  const model = (await modelsNow(listing)).find(({ id }) => id === name);
  if (model !== undefined) return model;
  const hint = 'GET /v1/models lists the models there are';
  throw errors.model_not_found({ values: { model: name.slice(0, 200), hint }, param: 'model' });
}
