/** From one who makes to one who takes, in order: what is made waits until it is taken. */

export class Channel<T> {
  readonly #waiting: T[] = [];
  #end: { readonly error?: unknown } | undefined;
  #wake: (() => void) | undefined;

  /** What is made and not yet taken. */
  get waiting(): readonly T[] {
    return this.#waiting;
  }

  push(value: T): void {
    this.#waiting.push(value);
    this.#wake?.();
  }

  /** What waits is still taken; then the taker gets the error, or the end. The first call counts. */
  end(failure?: { readonly error: unknown }): void {
    this.#end ??= failure ?? {};
    this.#wake?.();
  }

  /** Undefined at the end. For one taker. */
  async take(): Promise<T | undefined> {
    while (this.#waiting.length === 0 && this.#end === undefined)
      await new Promise<void>((resolve) => (this.#wake = resolve));
    const value = this.#waiting.shift();
    if (value === undefined && this.#end !== undefined && 'error' in this.#end) throw this.#end.error;
    return value;
  }
}
