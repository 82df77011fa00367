/** The one who called, as far as an attempt is concerned: still there, or gone. */
export interface Client {
  readonly isGone: boolean;
  /** Calls `onGone` when the client goes away, until the function that it returns is called. */
  watch(onGone: () => void): () => void;
}

/** A caller that tells by a signal, or stays. */
export function clientOf(signal: AbortSignal | undefined): Client {
  return {
    get isGone() {
      return signal?.aborted === true;
    },
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
}

/** A caller over HTTP: gone when the connection closes before the answer is out. */
export class HttpClient implements Client {
  isGone: boolean;
  #onGone: (() => void) | undefined;

  /** `whenClosed` says when the connection, or its answer, is closed. */
  constructor(connection: Connection, whenClosed: (listener: () => void) => void) {
    // It may have left while its key was looked up.
    this.isGone = connection.destroyed;
    whenClosed(() => {
      if (connection.writableFinished) return;
      this.isGone = true;
      this.#onGone?.();
    });
  }

  /** One at a time watches: the interceptors, then each attempt. */
  watch(onGone: () => void): () => void {
    this.#onGone = onGone;
    return () => (this.#onGone = undefined);
  }
}
