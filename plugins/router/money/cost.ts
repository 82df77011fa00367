/** The price of a call by its tokens. */

/** Dollars for a million tokens; with tiers, the last one whose `start` the input passes prices the whole call. */
export type Rate =
  | number
  | { readonly base: number; readonly tiers: readonly { readonly start: number; readonly price: number }[] };

/** The names are those of `@pydantic/genai-prices`. */
export interface Rates {
  readonly input_mtok?: Rate;
  readonly output_mtok?: Rate;
  /** Without them cached input costs what all input does. */
  readonly cache_read_mtok?: Rate;
  readonly cache_write_mtok?: Rate;
}

export interface PricedTokens {
  /** With what came from a cache, and what went into it. */
  readonly input: number;
  readonly output: number;
  readonly cached: number;
  readonly cacheWritten: number;
}

/** US dollars. */
export function costOf(rates: Rates, { input, output, cached, cacheWritten }: PricedTokens): number {
  const { input_mtok: fresh = 0, output_mtok: written = 0 } = rates;
  const { cache_read_mtok: read = fresh, cache_write_mtok: stored = fresh } = rates;
  const plain = Math.max(0, input - cached - cacheWritten);
  const millionths =
    plain * rateAt(fresh, input) +
    cached * rateAt(read, input) +
    cacheWritten * rateAt(stored, input) +
    output * rateAt(written, input);
  return millionths / 1e6;
}

function rateAt(rate: Rate, input: number): number {
  if (typeof rate === 'number') return rate;
  let price = rate.base;
  for (const tier of rate.tiers) if (input > tier.start) price = tier.price;
  return price;
}
