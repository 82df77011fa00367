/**
 * Long answers on their way to clients. What is made and waits for clients that read slowly is bounded over all of them:
 * beyond that the answer that has waited longest is cut off.
 */
import { Readable } from 'node:stream';
import type { RowStream } from './http/rows-body.js';

/** Milliseconds after which a client that reads nothing is given up. */
const PATIENCE = 60_000;

interface Waiting {
  readonly stream: RowStream;
  readonly readable: Readable;
  piece: number;
  timer: NodeJS.Timeout | undefined;
}

export class Outflow {
  readonly #most: number;
  /** The one that has waited longest first. */
  readonly #waiting = new Set<Waiting>();

  /** `most` characters wait at a time. */
  constructor(most: number) {
    this.#most = most;
  }

  readable(stream: RowStream): Readable {
    const readable = new Readable({
      highWaterMark: 0,
      encoding: 'utf8',
      read: () => void this.#send(entry),
      destroy: (error, done) => {
        this.#forget(entry);
        stream.return().then(
          () => done(error),
          (failure: unknown) => done(failure as Error),
        );
      },
    });
    const entry: Waiting = { stream, readable, piece: 0, timer: undefined };
    return readable;
  }

  async #send(entry: Waiting): Promise<void> {
    const { stream, readable } = entry;
    this.#forget(entry);
    try {
      const { value, done } = await stream.next();
      if (readable.destroyed) return;
      if (done === true) {
        readable.push(null);
        return;
      }
      entry.piece = value.length;
      entry.timer = setTimeout(
        () => readable.destroy(new Error('the client does not read')),
        PATIENCE,
      ).unref();
      this.#waiting.add(entry);
      // Sent before anything is cut off: an answer whose head is not sent yet would become another one.
      readable.push(value);
      this.#makeRoom();
    } catch (error) {
      readable.destroy(error as Error);
    }
  }

  #makeRoom(): void {
    let sum = 0;
    for (const { stream, piece } of this.#waiting) sum += stream.held + piece;
    for (const entry of this.#waiting) {
      if (sum <= this.#most) return;
      sum -= entry.stream.held + entry.piece;
      entry.readable.destroy(new Error('too much waits for clients that read slowly'));
    }
  }

  #forget(entry: Waiting): void {
    clearTimeout(entry.timer);
    this.#waiting.delete(entry);
  }
}
