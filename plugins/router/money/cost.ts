/** The price of a call by its tokens, and of sound by its length. */

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
  /** Without it sound costs what all input does. */
  readonly input_audio_mtok?: Rate;
  /** Dollars for an hour of sound. */
  readonly input_audio_hours?: Rate;
}

export interface PricedTokens {
  /** With what came from a cache, and what went into it. */
  readonly input: number;
  readonly output: number;
  readonly cached: number;
  readonly cacheWritten: number;
  readonly sound?: Sound;
}

/** The part of the input that is sound. */
export interface Sound {
  readonly tokens: number;
  readonly seconds: number;
}

/** US dollars. */
export function costOf(rates: Rates, { input, output, cached, cacheWritten, sound }: PricedTokens): number {
  const { input_mtok: fresh = 0, output_mtok: written = 0 } = rates;
  const { cache_read_mtok: read = fresh, cache_write_mtok: stored = fresh } = rates;
  const { input_audio_mtok: heard = fresh, input_audio_hours: hour = 0 } = rates;
  const { tokens, seconds } = sound ?? SILENCE;
  const plain = Math.max(0, input - cached - cacheWritten - tokens);
  const millionths =
    plain * rateAt(fresh, input) +
    cached * rateAt(read, input) +
    cacheWritten * rateAt(stored, input) +
    tokens * rateAt(heard, input) +
    output * rateAt(written, input);
  return millionths / 1e6 + (seconds / 3_600) * rateAt(hour, input);
}

const SILENCE: Sound = { tokens: 0, seconds: 0 };

function rateAt(rate: Rate, input: number): number {
  if (typeof rate === 'number') return rate;
  let price = rate.base;
  for (const tier of rate.tiers) if (input > tier.start) price = tier.price;
  return price;
}
