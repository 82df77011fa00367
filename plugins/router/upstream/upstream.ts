/** One OpenAI-compatible server: its connections, keys, circuit and load. */
import { Pool } from 'undici';
import type { UpstreamSettings } from '../schema.js';
import { UpstreamAnswer } from './answer.js';
import { Breaker, type BreakerPolicy } from './breaker.js';
import { KeyRing, type CooldownPolicy, type UpstreamKey } from './keys.js';
import { Load } from './load.js';

export interface UpstreamPolicies {
  readonly breaker: BreakerPolicy;
  readonly cooldown: CooldownPolicy;
  /** Milliseconds until a connection must stand. */
  readonly connect: number;
}

export class Upstream {
  readonly name: string;
  readonly baseUrl: string;
  readonly streamUsage: boolean;
  readonly keys: KeyRing;
  readonly breaker: Breaker;
  readonly load = new Load();
  readonly #pool: Pool;
  readonly #path: string;

  constructor(settings: UpstreamSettings, { breaker, cooldown, connect }: UpstreamPolicies) {
    const { origin, pathname } = new URL(settings.baseUrl);
    this.name = settings.name;
    this.baseUrl = settings.baseUrl;
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
