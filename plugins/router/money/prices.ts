/** What models cost: as the config says, else as their vendors publish it (`@pydantic/genai-prices`). */
import type * as Published from '@pydantic/genai-prices';
import { globOf, type Glob } from '../glob.js';
import type { OwnPrice } from './schema.js';
import { costOf, type PricedTokens, type Rates } from './cost.js';

/** What is to be known of an upstream. */
export interface PricedUpstream {
  readonly name: string;
  readonly baseUrl: string;
  readonly kind: { readonly vendor: string | undefined };
}

export interface Price {
  /** The model whose price it is: the published ones are found by the beginning of a name, too. */
  readonly id: string;
  /** US dollars. */
  cost(tokens: PricedTokens): number;
}

/** Milliseconds after which a price is looked up again: some depend on the time of day. */
const FRESH = 900_000;
/** Prices that are kept: callers choose names of models. */
const MOST_KEPT = 2_000;

export class Prices {
  readonly #own: readonly (readonly [Glob, Price])[];
  readonly #known = new Map<string, { readonly price: Price | undefined; readonly until: number }>();
  #published: typeof Published | undefined;

  /** The config's prices in dollars for a million tokens, by globs of `upstream/model`; the first that fits holds. */
  constructor(own: Readonly<Record<string, OwnPrice>>) {
    this.#own = Object.entries(own).map(([pattern, price]) => [
      globOf(pattern),
      { id: pattern, cost: (tokens) => costOf(ratesOf(price), tokens) },
    ]);
  }

  /** Until then only the config's prices are known: the table takes 50 ms. */
  async load(): Promise<void> {
    this.#published ??= await import('@pydantic/genai-prices');
  }

  /** `served` is the upstream's own word for the model; undefined where no price is known. */
  of(upstream: PricedUpstream, model: string, served: string | null = null): Price | undefined {
    const now = Date.now();
    const name = `${upstream.name}/${model}`;
    const key = served === null ? name : `${name} ${served}`;
    const known = this.#known.get(key);
    if (known !== undefined && known.until > now) return known.price;
    const price =
      this.#own.find(([glob]) => glob(name))?.[1] ??
      this.#publishedPrice(upstream, model) ??
      // A deployment has a name of its own.
      (served === null ? undefined : this.#publishedPrice(upstream, served));
    if (this.#published === undefined) return price;
    if (this.#known.size >= MOST_KEPT) this.#known.clear();
    this.#known.set(key, { price, until: now + FRESH });
    return price;
  }

  #publishedPrice({ baseUrl, kind }: PricedUpstream, model: string): Price | undefined {
    if (this.#published === undefined) return undefined;
    const { calcPrice, findProvider } = this.#published;
    const providerId = findProvider({ providerApiUrl: baseUrl })?.id ?? kind.vendor;
    if (providerId === undefined) return undefined;
    const found = calcPrice({ input_tokens: 0, output_tokens: 0 }, model, { providerId });
    if (found === null) return undefined;
    const rates = found.model_price as Rates;
    const { input_mtok: read, output_mtok: written, input_audio_hours: heard } = rates;
    if (read === undefined && written === undefined && heard === undefined) return undefined;
    return { id: found.model.id, cost: (tokens) => costOf(rates, tokens) };
  }
}

function ratesOf({ input, output, cached, cacheWritten }: OwnPrice): Rates {
  return {
    input_mtok: input,
    output_mtok: output,
    ...(cached !== undefined && { cache_read_mtok: cached }),
    ...(cacheWritten !== undefined && { cache_write_mtok: cacheWritten }),
  };
}
