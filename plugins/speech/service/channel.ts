/** A queue from one producer to one consumer, in order. */

export class Channel<T> {
  readonly #waiting: T[] = [];
  #end: { readonly error?: unknown } | undefined;
  #wake: (() => void) | undefined;

  /** Made and not yet taken. */
  get waiting(): readonly T[] {
    return this.#waiting;
  }

  push(value: T): void {
    this.#waiting.push(value);
    this.#wake?.();
  }

  /** The rest is still taken; then the consumer gets the error, or the end. The first call counts. */
  end(failure?: { readonly error: unknown }): void {
    this.#end ??= failure ?? {};
    this.#wake?.();
  }

  /** Undefined at the end. One consumer only. */
  async take(): Promise<T | undefined> {
    while (this.#waiting.length === 0 && this.#end === undefined)
      await new Promise<void>((resolve) => (this.#wake = resolve));
    const value = this.#waiting.shift();
    if (value === undefined && this.#end !== undefined && 'error' in this.#end) throw this.#end.error;
    return value;
  }
}
