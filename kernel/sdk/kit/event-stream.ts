/** Server-sent events. */
import type { Pieces } from '../services/slow-readers.js';
import { isServiceError, type ServiceError } from '../http/errors.js';

export const EVENT_STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  // Stops nginx from buffering the events.
  'x-accel-buffering': 'no',
} as const;

/** Characters that wait for one client; a single text may be longer. */
const MOST = 1_000_000;
/** Milliseconds between pings: proxies cut connections that are silent for a minute. */
const PING = 15_000;
/** Milliseconds between checks of the credential: a revoked key or an expired token ends its streams. */
const RECHECK = 5_000;

/** The queue of texts to one client, which is dropped if it leaves too much unread. Send it by `SLOW_READERS`. */
export class Outgoing implements Pieces {
  #waiting: string[] = [];
  #held = 0;
  #wake = (): void => {};
  readonly #leaving = new AbortController();

  /** Aborted when the client is gone or dropped, or the stream has ended. */
  get left(): AbortSignal {
    return this.#leaving.signal;
  }

  get held(): number {
    return this.#held;
  }

  push(text: string): void {
    if (this.left.aborted) return;
    if (this.#held > 0 && this.#held + text.length > MOST) {
      this.end();
      return;
    }
    this.#waiting.push(text);
    this.#held += text.length;
    this.#wake();
  }

  /** Queued texts are still sent. Safe twice. */
  end(): void {
    this.#leaving.abort();
    this.#wake();
  }

  /** Ends the stream, with the reason if it is a `ServiceError`. */
  endWith(error: unknown): void {
    if (isServiceError(error)) this.push(errorText(error));
    this.end();
  }

  async next(): Promise<IteratorResult<string, void>> {
    while (this.#waiting.length === 0) {
      if (this.left.aborted) return { done: true, value: undefined };
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

interface KeptOpen {
  /** The text of a ping. */
  readonly ping: () => string;
  /** Checks the caller again. Throwing ends the stream. */
  readonly again: () => Promise<void>;
  /** The plugin's: a stop waits for no stream. */
  readonly draining: AbortSignal;
}

/** Keeps an event stream open until its client leaves, loses access, or the server stops. */
export function keepOpen(out: Outgoing, { ping, again, draining }: KeptOpen): void {
  const pings = setInterval(() => out.push(ping()), PING);
  const checks = setInterval(() => void again().catch((error: unknown) => out.endWith(error)), RECHECK);
  const end = (): void => out.end();
  const left = (): void => {
    clearInterval(pings);
    clearInterval(checks);
    draining.removeEventListener('abort', end);
  };
  if (out.left.aborted) return left();
  out.left.addEventListener('abort', left, { once: true });
  draining.addEventListener('abort', end, { once: true });
  if (draining.aborted) end();
}

/** `data` has no line breaks. `id`: where a client resumes (`Last-Event-ID`). Without a name it is a `message`. */
export function eventText(name: string | undefined, data: string, id?: string): string {
  return `${idLine(id)}${name === undefined ? '' : `event: ${name}\n`}data: ${data}\n\n`;
}

/** `id` moves the client's resume position on. */
export function pingText(id?: string): string {
  return `: ping\n${idLine(id)}\n`;
}

function errorText({ code, message }: ServiceError): string {
  return eventText('error', JSON.stringify({ code, message }));
}

function idLine(id: string | undefined): string {
  return id === undefined ? '' : `id: ${id}\n`;
}
