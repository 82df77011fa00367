/**
 * Calls of one turn of the event loop that go to the server in one message: under load a message costs more than what is
 * in it. A call that comes alone is sent alone, and none waits longer than the turn.
 */

/** At most this many calls in a message, so that one answer does not hold up the event loop. */
const LARGEST = 64;

export type Outcome<O> = { readonly value: O } | { readonly error: unknown };

export interface Sender<I, O> {
  one(input: I): Promise<O>;
  /** One outcome for each input, in their order. Rejects when all failed alike. */
  several(inputs: readonly I[]): Promise<readonly Outcome<O>[]>;
}

interface Waiting<I, O> {
  readonly input: I;
  readonly resolve: (value: O) => void;
  readonly reject: (error: unknown) => void;
}

export class SharedMessage<I, O> {
  readonly #sender: Sender<I, O>;
  #waiting: Waiting<I, O>[] = [];

  constructor(sender: Sender<I, O>) {
    this.#sender = sender;
  }

  call(input: I): Promise<O> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) setImmediate(() => this.#send());
      this.#waiting.push({ input, resolve, reject });
    });
  }

  #send(): void {
    const calls = this.#waiting;
    this.#waiting = [];
    for (let from = 0; from < calls.length; from += LARGEST)
      void this.#sendSome(calls.slice(from, from + LARGEST));
  }

  async #sendSome(calls: readonly Waiting<I, O>[]): Promise<void> {
    const [first] = calls;
    if (first === undefined) return;
    try {
      if (calls.length === 1) {
        first.resolve(await this.#sender.one(first.input));
        return;
      }
      const outcomes = await this.#sender.several(calls.map(({ input }) => input));
      for (const [at, { resolve, reject }] of calls.entries()) {
        const outcome = outcomes[at];
        if (outcome !== undefined && 'value' in outcome) resolve(outcome.value);
        else reject(outcome?.error);
      }
    } catch (error) {
      for (const { reject } of calls) reject(error);
    }
  }
}
