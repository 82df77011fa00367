/** Sends batches to the collector in order. Never blocks: items beyond the queue are dropped and counted. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Counter, Logger } from 'plugboard/sdk';
import { request } from 'undici';

/** The most queued items; further ones are dropped. */
const QUEUE = 4096;
const BATCH = 512;
/** Milliseconds to wait for a full batch. */
const INTERVAL = 2_000;
/** Milliseconds per request to the collector. */
const TIMEOUT = 10_000;
/** Milliseconds that a stop waits for the remaining items. */
const LAST_WORDS = 2_000;
/** Milliseconds before a retry; doubled each time, unless the collector gives a time. */
const RETRY = 1_000;
const LONGEST_RETRY = 60_000;
/** From the specification; other errors are the exporter's fault, and a retry would fail too. */
const RETRYABLE = [429, 502, 503, 504];

export interface ExporterParts {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: (items: readonly never[]) => object;
  readonly dropped: Counter;
  readonly log: Logger;
}

export class Exporter<T> {
  readonly #parts: ExporterParts;
  #waiting: T[] = [];
  #refused = false;

  constructor(parts: ExporterParts) {
    this.#parts = parts;
  }

  add(item: T): void {
    if (this.#waiting.length >= QUEUE) {
      this.#parts.dropped.add(1);
      return;
    }
    this.#waiting.push(item);
  }

  /** Sends until the signal, and then the rest, once, for `LAST_WORDS` at most. */
  async run(signal: AbortSignal): Promise<void> {
    const end = new AbortController();
    signal.addEventListener('abort', () => setTimeout(() => end.abort(), LAST_WORDS).unref(), { once: true });
    do {
      await sleep(INTERVAL, undefined, { signal, ref: false }).catch(() => {});
      await this.#flush(signal, end.signal);
    } while (!signal.aborted);
  }

  async #flush(signal: AbortSignal, end: AbortSignal): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, BATCH);
      const sent = !end.aborted && (await this.#send(batch, signal, end));
      if (!sent) this.#parts.dropped.add(batch.length);
    }
  }

  /** Retries until it is accepted, refused for good, or the queue is full. */
  async #send(batch: readonly T[], signal: AbortSignal, end: AbortSignal): Promise<boolean> {
    const { url, headers, body: render, log } = this.#parts;
    const body = JSON.stringify(render(batch as readonly never[]));
    for (let wait = RETRY; ; wait = Math.min(wait * 2, LONGEST_RETRY)) {
      const { status, retryAfter } = await this.#post(url, headers, body, end);
      if (status >= 200 && status < 300) {
        if (this.#refused) log.info({ url }, 'the collector takes telemetry again');
        this.#refused = false;
        return true;
      }
      if (!this.#refused)
        log.warn({ url, status: status || 'no answer' }, 'the collector takes no telemetry');
      this.#refused = true;
      if (status !== 0 && !RETRYABLE.includes(status)) return false;
      if (signal.aborted || this.#waiting.length >= QUEUE) return false;
      await sleep(retryAfter ?? wait, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  /** Status 0: no answer. */
  async #post(
    url: string,
    headers: Readonly<Record<string, string>>,
    body: string,
    end: AbortSignal,
  ): Promise<{ readonly status: number; readonly retryAfter?: number }> {
    try {
      const answer = await request(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body,
        headersTimeout: TIMEOUT,
        bodyTimeout: TIMEOUT,
        signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT), end]),
      });
      await answer.body.dump();
      const seconds = Number(answer.headers['retry-after']);
      return {
        status: answer.statusCode,
        ...(seconds > 0 && { retryAfter: Math.min(seconds * 1000, LONGEST_RETRY) }),
      };
    } catch {
      return { status: 0 };
    }
  }
}
