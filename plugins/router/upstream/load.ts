/** How busy, fast and reliable a target is: the input of the balancing strategies. */

/** Milliseconds in which an observation decays to a third; after half a minute it no longer counts. */
const FADE = 10_000;
/** Of the latest latency. */
const WEIGHT = 0.2;

/** Streams and whole answers begin after different times: each has its own latency. */
export type Mode = 'stream' | 'whole';

interface Latency {
  readonly value: number;
  readonly at: number;
}

export class Load {
  inFlight = 0;
  calls = 0;
  failures = 0;
  /** When the last call began. */
  begunAt = 0;
  readonly #latencies: { [M in Mode]?: Latency } = {};
  #recentFailures = 0;
  #recentAnswers = 0;
  #fadedAt = 0;

  begin(now: number): void {
    this.inFlight += 1;
    this.calls += 1;
    this.begunAt = now;
  }

  end(): void {
    this.inFlight -= 1;
  }

  /** Milliseconds until the answer began: its first event, or the whole of it. */
  answered(milliseconds: number, mode: Mode, now: number): void {
    const last = this.#latencies[mode];
    const value = last === undefined ? milliseconds : last.value * (1 - WEIGHT) + milliseconds * WEIGHT;
    this.#latencies[mode] = { value, at: now };
    this.#fade(now);
    this.#recentAnswers += 1;
  }

  failed(now: number): void {
    this.failures += 1;
    this.#fade(now);
    this.#recentFailures += 1;
  }

  /** Milliseconds until an answer begins, weighted towards the latest; null before the first one. */
  latency(mode: Mode): number | null {
    return this.#latencies[mode]?.value ?? null;
  }

  /**
   * The expected latency. Older observations decay towards `best`, the fastest of its rivals, so that a once slow
   * target is tried again; an unknown one is expected to be as fast as they are.
   */
  expected(mode: Mode, best: number, now: number): number {
    const seen = this.#latencies[mode];
    if (seen === undefined || seen.value <= best) return seen?.value ?? best;
    return best + (seen.value - best) * Math.exp(-(now - seen.at) / FADE);
  }

  /** The share of recent calls that failed, from 0 to 1, biased to 0 if there were few. */
  failureRate(now: number): number {
    const left = this.#left(now);
    const failures = this.#recentFailures * left;
    return failures / (failures + this.#recentAnswers * left + 1);
  }

  #fade(now: number): void {
    const left = this.#left(now);
    this.#recentFailures *= left;
    this.#recentAnswers *= left;
    this.#fadedAt = now;
  }

  #left(now: number): number {
    return Math.exp(-Math.max(0, now - this.#fadedAt) / FADE);
  }
}
