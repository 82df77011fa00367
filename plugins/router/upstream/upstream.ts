/** One OpenAI-compatible server: its connections, keys, circuit and load. */
import { Pool } from 'undici';
import type { UpstreamSettings } from '../schema.js';
import { UpstreamAnswer } from './answer.js';
import { Breaker, type BreakerPolicy, type Passage } from './breaker.js';
import { KeyRing, type CooldownPolicy, type UpstreamKey } from './keys.js';
import { Load } from './load.js';
import type { Reason, UpstreamReport } from './report.js';

export interface UpstreamPolicies {
  readonly breaker: BreakerPolicy;
  readonly cooldown: CooldownPolicy;
  /** Milliseconds until a connection must stand. */
  readonly connect: number;
}

/** Headers that the router or its client writes. */
const OUR_HEADERS: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'connection',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'te',
  'transfer-encoding',
  'upgrade',
]);

export class Upstream {
  readonly name: string;
  readonly baseUrl: string;
  readonly streamUsage: boolean;
  readonly keys: KeyRing;
  readonly breaker: Breaker;
  readonly load = new Load();
  readonly #report: UpstreamReport;
  readonly #pool: Pool;
  readonly #path: string;
  /** Names and values in turn. */
  readonly #headers: readonly string[];

  /** Throws, naming the upstream, for an address that is none and a header that is not the config's to set. */
  constructor(
    settings: UpstreamSettings,
    { breaker, cooldown, connect }: UpstreamPolicies,
    report: UpstreamReport,
  ) {
    const { origin, pathname } = addressOf(settings);
    this.name = settings.name;
    this.baseUrl = settings.baseUrl;
    this.#report = report;
    this.#headers = headersOf(settings);
    this.streamUsage = settings.streamUsage;
    this.#path = pathname.replace(/\/+$/, '');
    this.keys = new KeyRing(secretsOf(settings), cooldown);
    this.breaker = new Breaker(breaker);
    // The call's own watchdog keeps the other limits: undici's are rounded to half a second and know no first token.
    this.#pool = new Pool(origin, { connect: { timeout: connect }, headersTimeout: 0, bodyTimeout: 0 });
    report.begins(this);
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
    if (this.breaker.answered()) this.#report.back(this);
  }

  /** It answered to the end, if only to turn a call away. */
  succeeded(): void {
    if (this.breaker.succeeded()) this.#report.back(this);
  }

  failed(passage: Passage, reason: Reason, now: number): void {
    this.load.failures += 1;
    this.#report.failed(this, reason);
    if (this.breaker.failed(passage, now)) this.#report.gone(this, reason);
  }

  /** It turned a key away. */
  rest(key: UpstreamKey, reason: Reason, now: number): void {
    if (!this.keys.rest(key, now, reason.retryAfter)) return;
    this.#report.keyRests(this, this.keys.all.indexOf(key) + 1, key.restsUntil, reason);
  }

  /** Ends the connections at once, whatever still runs on them. */
  close(): Promise<void> {
    return this.#pool.destroy();
  }

  #send(method: 'GET' | 'POST', path: string, { secret }: UpstreamKey, body: string | null): UpstreamAnswer {
    const headers = [...this.#headers];
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

function addressOf({ name, baseUrl }: UpstreamSettings): URL {
  if (!URL.canParse(baseUrl)) throw new Error(`upstream "${name}": baseUrl: "${baseUrl}" is not a URL`);
  return new URL(baseUrl);
}

function headersOf({ name, headers, apiKey, apiKeys }: UpstreamSettings): string[] {
  for (const header of Object.keys(headers)) {
    const lower = header.toLowerCase();
    if (OUR_HEADERS.has(lower))
      throw new Error(`upstream "${name}": headers: "${header}" is not yours to set`);
    if (lower === 'authorization' && (apiKey ?? apiKeys) !== undefined) {
      throw new Error(`upstream "${name}": give either "apiKey" or headers.${header}, not both`);
    }
  }
  const ours = ['accept', 'application/json, text/event-stream', 'accept-encoding', 'identity'];
  return [...ours, ...Object.entries(headers).flat()];
}
