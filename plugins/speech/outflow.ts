/**
 * Clips on their way to clients. What is made and waits for clients that read slowly is bounded over all of them:
 * beyond that the client that has waited longest is cut off, and so is one that reads nothing for a minute.
 */
import type { ServerResponse } from 'node:http';
import { whenAnswered, type Reply } from 'plugboard/sdk';

/** Milliseconds. */
const PATIENCE = 60_000;

export class Outflow {
  readonly #most: number;
  readonly #patience: number;
  readonly #onCut: (reason: string) => void;
  /** With the bytes of each; the one that has waited longest first. */
  readonly #waiting = new Map<ServerResponse, number>();
  #sum = 0;

  /** `most` bytes wait at a time. `onCut` hears why a client is cut off. */
  constructor(most: number, onCut: (reason: string) => void, patience = PATIENCE) {
    this.#most = most;
    this.#onCut = onCut;
    this.#patience = patience;
  }

  /** Before the clip of so many bytes is sent. One clip may be longer than all that may wait. */
  add(reply: Reply, bytes: number): void {
    const response = reply.raw;
    this.#waiting.set(response, bytes);
    this.#sum += bytes;
    // Both at the end of a clip that was read and when the client leaves.
    whenAnswered(reply, () => this.#forget(response));
    response.setTimeout(this.#patience, () =>
      this.#cut(response, `a client read nothing for ${this.#patience / 1_000} s`),
    );
    for (const oldest of this.#waiting.keys()) {
      if (this.#sum <= this.#most || oldest === response) return;
      this.#cut(oldest, 'too much sound waits for clients that read slowly');
    }
  }

  #cut(response: ServerResponse, reason: string): void {
    this.#forget(response);
    this.#onCut(reason);
    response.destroy();
  }

  #forget(response: ServerResponse): void {
    this.#sum -= this.#waiting.get(response) ?? 0;
    this.#waiting.delete(response);
  }
}
