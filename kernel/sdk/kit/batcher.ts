/** Batches calls of several callers: one message, one transaction or one sync for all of them. */

export type Outcome<O> = { readonly value: O } | { readonly error: unknown };

export interface BatchOptions<I> {
  /** The largest batch, in calls or as the sum of `size`. A larger call is a batch of its own. */
  readonly most: number;
  readonly size?: (input: I) => number;
  /** Awaited before a batch is taken. Default: the end of this turn of the event loop. */
  readonly gather?: () => Promise<void> | undefined;
  /** Whether batches may overlap. Default: false; calls made during a batch share the next one. */
  readonly overlap?: boolean;
}

interface Call<I, O> {
  readonly input: I;
  readonly resolve: (value: O) => void;
  readonly reject: (error: unknown) => void;
}

/** A lone call is a batch of one. */
export class Batcher<I, O> {
  readonly #work: (inputs: readonly I[]) => Promise<readonly Outcome<O>[]>;
  readonly #options: BatchOptions<I>;
  readonly #calls: Call<I, O>[] = [];
  #running: Promise<void> | undefined;

  /** `work` returns an outcome per input, in order. If it rejects, so do all calls of the batch. */
  constructor(work: (inputs: readonly I[]) => Promise<readonly Outcome<O>[]>, options: BatchOptions<I>) {
    this.#work = work;
    this.#options = options;
  }

  /** Calls not yet in a batch. */
  get waiting(): number {
    return this.#calls.length;
  }

  /** Whether no call waits or, unless batches overlap, is being answered. */
  get isIdle(): boolean {
    return this.#running === undefined;
  }

  /** Resolves when it is idle. */
  async idle(): Promise<void> {
    await this.#running;
  }

  call(input: I): Promise<O> {
    return new Promise((resolve, reject) => {
      this.#calls.push({ input, resolve, reject });
      this.#running ??= this.#run();
    });
  }

  async #run(): Promise<void> {
    const { gather = endOfTurn, overlap = false } = this.#options;
    while (this.#calls.length > 0) {
      await gather();
      if (overlap) while (this.#calls.length > 0) void this.#answer(this.#take());
      else await this.#answer(this.#take());
    }
    this.#running = undefined;
  }

  #take(): Call<I, O>[] {
    const { most, size = () => 1 } = this.#options;
    let count = 0;
    let sum = 0;
    for (const { input } of this.#calls) {
      sum += size(input);
      if (count > 0 && sum > most) break;
      count += 1;
    }
    return this.#calls.splice(0, count);
  }

  async #answer(calls: readonly Call<I, O>[]): Promise<void> {
    try {
      const outcomes = await this.#work(calls.map(({ input }) => input));
      for (const [at, { resolve, reject }] of calls.entries()) {
        const outcome = outcomes[at];
        if (outcome !== undefined && 'value' in outcome) resolve(outcome.value);
        else reject(outcome?.error ?? new Error('the batch has no answer to this call'));
      }
    } catch (error) {
      for (const { reject } of calls) reject(error);
    }
  }
}

function endOfTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
