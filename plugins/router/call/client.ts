/** The one who called, as far as an attempt is concerned: still there, or gone. */
export interface Client {
  readonly isGone: boolean;
  /** For what takes a signal, such as an interceptor. */
  readonly signal: AbortSignal | undefined;
  /** Calls `onGone` when the client goes away, until the function that it returns is called. */
  watch(onGone: () => void): () => void;
}

/** A caller that tells by a signal, or stays. */
export function clientOf(signal: AbortSignal | undefined): Client {
  return {
    get isGone() {
      return signal?.aborted === true;
    },
    signal,
    watch(onGone) {
      signal?.addEventListener('abort', onGone, { once: true });
      return () => signal?.removeEventListener('abort', onGone);
    },
  };
}

/** What we need of an answer on its way out, `node:http`'s `ServerResponse`. */
interface Connection {
  readonly destroyed: boolean;
  readonly writableFinished: boolean;
  once(event: 'close', listener: () => void): unknown;
}

/** A caller over HTTP: gone when the connection closes before the answer is out. */
export class HttpClient implements Client {
  isGone: boolean;
  #onGone: (() => void) | undefined;
  /** Made when it is asked for: a signal takes 4 us. */
  #controller: AbortController | undefined;

  constructor(connection: Connection) {
    // It may have left while its key was looked up.
    this.isGone = connection.destroyed;
    connection.once('close', () => {
      if (connection.writableFinished) return;
      this.isGone = true;
      this.#onGone?.();
      this.#controller?.abort();
    });
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.isGone) this.#controller.abort();
    }
    return this.#controller.signal;
  }

  /** One attempt at a time watches. */
  watch(onGone: () => void): () => void {
    this.#onGone = onGone;
    return () => (this.#onGone = undefined);
  }
}
