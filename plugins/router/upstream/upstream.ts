/** One OpenAI-compatible server: its connections, keys, circuit and load. The log says when it comes and goes. */
import type { Logger } from 'plugboard/sdk';
import { Pool } from 'undici';
import type { UpstreamSettings } from '../schema.js';
import { UpstreamAnswer } from './answer.js';
import { Breaker, type BreakerPolicy, type Passage } from './breaker.js';
import { KeyRing, type CooldownPolicy, type UpstreamKey } from './keys.js';
import { Load } from './load.js';

export interface UpstreamPolicies {
  readonly breaker: BreakerPolicy;
  readonly cooldown: CooldownPolicy;
  /** Milliseconds until a connection must stand. */
  readonly connect: number;
}

/** Why it failed a call. */
export interface Reason {
  /** One word, e.g. `http_503`. */
  readonly code: string;
  /** What the connection threw. */
  readonly cause?: unknown;
  /** Milliseconds, when it said how long to wait. */
  readonly retryAfter: number | undefined;
}

export class Upstream {
  readonly name: string;
  readonly baseUrl: string;
  readonly streamUsage: boolean;
  readonly keys: KeyRing;
  readonly breaker: Breaker;
  readonly load = new Load();
  readonly #log: Logger;
  readonly #pool: Pool;
  readonly #path: string;

  constructor(settings: UpstreamSettings, { breaker, cooldown, connect }: UpstreamPolicies, log: Logger) {
    const { origin, pathname } = new URL(settings.baseUrl);
    this.name = settings.name;
    this.baseUrl = settings.baseUrl;
    this.#log = log;
    this.streamUsage = settings.streamUsage;
    this.#path = pathname.replace(/\/+$/, '');
    this.keys = new KeyRing(secretsOf(settings), cooldown);
    this.breaker = new Breaker(breaker);
    // The call's own watchdog keeps the other limits: undici's are rounded to half a second and know no first token.
    this.#pool = new Pool(origin, { connect: { timeout: connect }, headersTimeout: 0, bodyTimeout: 0 });
  }

  post(path: string, body: string, key: UpstreamKey): UpstreamAnswer {
    return this.#send('POST', path, key, body);
  }

  get(path: string, key: UpstreamKey): UpstreamAnswer {
    return this.#send('GET', path, key, null);
  }

  /** An answer to a call with this key has begun. */
  answered(key: UpstreamKey): void {
    this.keys.worked(key);
    if (this.breaker.answered()) this.#log.info({ upstream: this.name }, 'an upstream answers again');
  }

  failed(passage: Passage, { code, cause }: Reason, now: number): void {
    this.load.failures += 1;
    if (!this.breaker.failed(passage, now)) return;
    this.#log.warn(
      {
        upstream: this.name,
        failures: this.breaker.failures,
        last: code,
        ...(cause instanceof Error && { reason: cause.message }),
        until: new Date(this.breaker.opensAt ?? now).toISOString(),
      },
      'an upstream failed too often: it gets no calls for a while',
    );
  }

  /** It turned a key away. */
  rest(key: UpstreamKey, { code, retryAfter }: Reason, now: number): void {
    this.keys.rest(key, now, retryAfter);
    // What is at its limit comes back by itself; a key that is not accepted needs a person.
    const level = code === 'http_401' || code === 'http_402' ? 'warn' : 'info';
    this.#log[level](
      {
        upstream: this.name,
        key: this.keys.all.indexOf(key) + 1,
        of: this.keys.all.length,
        reason: code,
        until: new Date(key.restsUntil).toISOString(),
      },
      'an upstream turned an API key away: it rests for a while',
    );
  }

  /** Ends the connections at once, whatever still runs on them. */
  close(): Promise<void> {
    return this.#pool.destroy();
  }

  #send(method: 'GET' | 'POST', path: string, { secret }: UpstreamKey, body: string | null): UpstreamAnswer {
    const headers = ['accept', 'application/json, text/event-stream', 'accept-encoding', 'identity'];
    if (body !== null) headers.push('content-type', 'application/json');
    if (secret !== null) headers.push('authorization', `Bearer ${secret}`);
    const answer = new UpstreamAnswer();
    this.#pool.dispatch({ method, path: this.#path + path, headers, body }, answer);
    return answer;
  }
}

function secretsOf({ apiKey, apiKeys }: UpstreamSettings): string[] | undefined {
  if (apiKey === undefined && apiKeys === undefined) return undefined;
  return [...(apiKey === undefined ? [] : [apiKey]), ...(apiKeys ?? [])];
}
