/** Texts on their way to one client, in order. A client that leaves too many unread is let go. */
import type { Pieces } from 'plugboard/sdk';

/** Characters that wait for one client; a single text may be longer. */
const MOST = 1_000_000;

export class Outgoing implements Pieces {
  #waiting: string[] = [];
  #held = 0;
  #ended = false;
  #wake = (): void => {};
  readonly #onLeft: () => void;

  /** `onLeft` is called once, when the client is gone, was let go or the end is reached. */
  constructor(onLeft: () => void) {
    this.#onLeft = onLeft;
  }

  get held(): number {
    return this.#held;
  }

  push(text: string): void {
    if (this.#ended) return;
    if (this.#held > 0 && this.#held + text.length > MOST) {
      this.end();
      return;
    }
    this.#waiting.push(text);
    this.#held += text.length;
    this.#wake();
  }

  /** What waits is still sent. Safe twice. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#wake();
    this.#onLeft();
  }

  async next(): Promise<IteratorResult<string, void>> {
    while (this.#waiting.length === 0) {
      if (this.#ended) return { done: true, value: undefined };
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    const text = this.#waiting.shift()!;
    this.#held -= text.length;
    return { done: false, value: text };
  }

  return(): Promise<void> {
    this.#waiting = [];
    this.#held = 0;
    this.end();
    return Promise.resolve();
  }
}
