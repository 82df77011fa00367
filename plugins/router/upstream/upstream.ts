/** One server: its connections, keys and load, and the health of its models. */
import type { Carried } from 'plugboard/sdk';
import { EnvHttpProxyAgent, Pool, type Dispatcher } from 'undici';
import type { UpstreamSettings } from '../schema.js';
import { UpstreamAnswer } from './answer.js';
import { Breaker, type Attempted, type BreakerPolicy, type Passage } from './breaker.js';
import { KeyRing, type UpstreamKey } from './keys.js';
import { kindOf, type Kind } from './kind.js';
import { Load } from './load.js';
import type { CooldownPolicy } from './model-health.js';
import type { Reason, UpstreamReport } from './report.js';
import type { SentBody } from './sent-body.js';

export interface UpstreamPolicies {
  readonly breaker: BreakerPolicy;
  readonly cooldown: CooldownPolicy;
  /** Milliseconds to open a connection. */
  readonly connect: number;
}

/** A call in flight: its key and its passages through the circuits. */
export interface Entry {
  readonly model: string;
  readonly caller: string;
  readonly key: UpstreamKey;
  readonly connection: Passage;
  readonly passage: Passage;
}

/** Why no call may go out for a model. */
export interface Skip {
  readonly code: 'no_api_key' | 'key_refused' | 'cooling_down' | 'circuit_open' | 'probing';
  /** Milliseconds. */
  readonly retryAfter: number | undefined;
  readonly lastFailure: string | undefined;
}

/** The path as this upstream has it, and the headers by key, names and values in turn. */
interface RequestLine {
  readonly path: string;
  readonly headers: Map<UpstreamKey, string[]>;
}

interface RequestParts {
  readonly path: string;
  readonly key: UpstreamKey;
  readonly body: SentBody | null;
  readonly passed: readonly string[];
}

/** Of a connection: milliseconds, and PEM certificates. */
interface Connecting {
  readonly timeout: number;
  readonly ca?: string;
}

const NONE: readonly string[] = [];

export class Upstream {
  readonly name: string;
  readonly baseUrl: string;
  readonly kind: Kind;
  readonly apiVersion: string | undefined;
  readonly streamUsage: boolean;
  readonly keys: KeyRing;
  /** Of its connections: when it cannot be reached, no key and no model can. */
  readonly breaker: Breaker;
  readonly load = new Load();
  /** Never to be shown: keys, and the values of configured headers. */
  readonly secrets: readonly string[];
  readonly #report: UpstreamReport;
  /** Headers that go along with the work under way. */
  readonly #carried: () => Carried | undefined;
  readonly #dispatcher: Dispatcher;
  /** Keeps no connection; made when it is needed. */
  #fresh: Dispatcher | undefined;
  readonly #connecting: Connecting;
  #connections = 0;
  readonly #connected = (): number => this.#connections;
  readonly #origin: string;
  readonly #path: string;
  readonly #query: string;
  /** Made once: undici takes 9 us more for a call whose path and headers are new strings and lists. */
  readonly #requests = new Map<string, RequestLine>();
  #lastConnectionFailure: string | undefined;
  /** Names and values in turn. */
  readonly #headers: readonly string[];

  /** Throws, naming the upstream, for an address that is none and a header that is not the config's to set. */
  constructor(
    settings: UpstreamSettings,
    { breaker, cooldown, connect }: UpstreamPolicies,
    report: UpstreamReport,
    carried: () => Carried | undefined = () => undefined,
  ) {
    this.#carried = carried;
    this.kind = kindOf(settings);
    const { origin, pathname, search } = new URL(this.kind.baseUrl);
    this.apiVersion = settings.apiVersion;
    this.name = settings.name;
    this.baseUrl = this.kind.baseUrl;
    this.#report = report;
    this.#headers = headersOf(settings);
    this.streamUsage = settings.streamUsage;
    this.#origin = origin;
    this.#path = withoutSlashes(pathname);
    this.#query = joinedQuery(search, this.kind.query);
    this.keys = new KeyRing(secretsOf(settings), { breaker, cooldown });
    this.breaker = new Breaker(breaker);
    this.secrets = [...(secretsOf(settings) ?? []), ...Object.values(settings.headers)].filter(
      (secret) => secret.length >= SHORTEST_SECRET,
    );
    this.#connecting = { timeout: connect, ...(settings.ca !== undefined && { ca: settings.ca }) };
    this.#dispatcher = dispatcherOf(origin, this.#connecting);
    this.#dispatcher.on('connect', () => {
      this.#connections += 1;
    });
    report.begins(this);
  }

  /** `passed`: the caller's headers, names and values in turn. */
  post(path: string, body: SentBody, key: UpstreamKey, passed: readonly string[] = NONE): UpstreamAnswer {
    return this.#send(this.#dispatcher, 'POST', { path, key, body, passed });
  }

  /** On a connection of its own. */
  postAfresh(
    path: string,
    body: SentBody,
    key: UpstreamKey,
    passed: readonly string[] = NONE,
  ): UpstreamAnswer {
    this.#fresh ??= dispatcherOf(this.#origin, this.#connecting, { pipelining: 0 });
    return this.#send(this.#fresh, 'POST', { path, key, body, passed });
  }

  get(path: string, key: UpstreamKey, passed: readonly string[]): UpstreamAnswer {
    return this.#send(this.#dispatcher, 'GET', { path, key, body: null, passed });
  }

  /** Lets a call out, with a key that was not `tried`; an entry must end in `settle`. */
  enter(
    model: string,
    now: number,
    attempted: Required<Attempted>,
    tried: ReadonlySet<UpstreamKey> | undefined,
  ): Entry | Skip {
    const { caller, lastResort } = attempted;
    const connection = this.breaker.tryPass(now, { lastResort });
    if (connection === undefined) return this.#unreachable(now);
    const picked = this.keys.pick(model, now, attempted, tried);
    if (picked !== undefined) return { model, caller, connection, ...picked };
    this.breaker.released(connection);
    const { code, readyAt, lastFailure } = this.keys.unusable(model, now);
    const retryAfter = Number.isFinite(readyAt) ? Math.max(0, readyAt - now) : undefined;
    return { code, retryAfter, lastFailure };
  }

  /** Its answer to a call has begun. */
  answered({ model, key }: Entry): void {
    key.rest.rejections = 0;
    if (this.breaker.answered()) this.#report.back(this, null);
    if (key.models.answered(model)) this.#report.back(this, model);
  }

  /** The call ended without telling anything, e.g. because the client went away. */
  released({ model, key, connection, passage }: Entry): void {
    this.breaker.released(connection);
    key.models.released(model, passage);
  }

  /** It answered to the end, if only to turn the call away. */
  succeeded({ model, key }: Entry, now: number): void {
    if (this.breaker.succeeded()) this.#report.back(this, null);
    if (key.models.succeeded(model, now)) this.#report.back(this, model);
  }

  /** It cannot be reached. */
  unreachable(entry: Entry, reason: Reason, now: number): void {
    entry.key.models.released(entry.model, entry.passage);
    this.#report.failed(this, reason);
    this.#lastConnectionFailure = reason.code;
    if (this.breaker.failed(entry.connection, now)) this.#report.gone(this, null, this.breaker, reason);
  }

  /** It was reached, and failed the call. */
  failed({ model, key, passage, caller }: Entry, reason: Reason, now: number): void {
    this.breaker.succeeded();
    this.#report.failed(this, reason);
    const opened = key.models.failed(model, passage, now, { code: reason.code, caller });
    const health = key.models.get(model);
    if (opened && health !== undefined) this.#report.gone(this, model, health.breaker, reason);
  }

  /** It turned the key away, for this model alone or for all. */
  rest({ model, key }: Entry, reason: Reason, now: number, forAll: boolean): void {
    const begins = forAll
      ? key.rest.begin(now, reason.retryAfter)
      : key.models.turnedAway(model, now, reason.retryAfter);
    if (!begins) return;
    const until = forAll ? key.rest.until : (key.models.get(model)?.rest.until ?? now);
    this.#report.keyRests(this, this.keys.all.indexOf(key) + 1, forAll ? null : model, until, reason);
  }

  /** Ends the connections at once, whatever still runs on them. */
  async close(): Promise<void> {
    await Promise.all([this.#dispatcher.destroy(), this.#fresh?.destroy()]);
  }

  #unreachable(now: number): Skip {
    const opensAt = this.breaker.opensAt ?? now;
    return {
      code: opensAt > now ? 'circuit_open' : 'probing',
      retryAfter: Math.max(0, opensAt - now),
      lastFailure: this.#lastConnectionFailure,
    };
  }

  #send(
    dispatcher: Dispatcher,
    method: 'GET' | 'POST',
    { path, key, body, passed }: RequestParts,
  ): UpstreamAnswer {
    const answer = new UpstreamAnswer(this.#connected);
    const line = this.#requests.get(path) ?? this.#requestLine(path);
    const isForm = typeof body === 'object' && body !== null;
    const own = line.headers.get(key) ?? this.#headersFor(line, key, typeof body === 'string');
    const carried = this.#carried();
    const more = carried === undefined ? passed : withCarried(passed, carried);
    const headers = more.length > 0 || isForm ? [...own, ...more] : own;
    if (isForm) headers.push('content-type', body.type, 'content-length', String(body.length));
    const sent = { origin: this.#origin, path: line.path, method, headers };
    dispatcher.dispatch({ ...sent, body: isForm ? body.stream() : body }, answer);
    return answer;
  }

  #requestLine(path: string): RequestLine {
    const question = path.indexOf('?');
    const own = question === -1 ? path : path.slice(0, question);
    const query = joinedQuery(this.#query, question === -1 ? '' : path.slice(question));
    const line = { path: this.#path + own + query, headers: new Map<UpstreamKey, string[]>() };
    // Some hold the name of a model, which callers choose.
    if (this.#requests.size < MOST_PATHS) this.#requests.set(path, line);
    return line;
  }

  #headersFor(line: RequestLine, key: UpstreamKey, isJson: boolean): string[] {
    const headers = [...this.#headers];
    if (isJson) headers.push('content-type', 'application/json');
    if (key.secret !== null) headers.push(...this.kind.keyHeader(key.secret));
    line.headers.set(key, headers);
    return headers;
  }
}

/** Shorter values are words such as "on": masking them in every text would hide too much. */
const SHORTEST_SECRET = 4;
/** Request lines that are kept. */
const MOST_PATHS = 1_000;
const PROXIES = ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY'];

/**
 * The call's own watchdog keeps the limits: undici's are rounded to half a second and know no first token. Through
 * a proxy where the environment names one (`NO_PROXY` excepts hosts).
 */
function dispatcherOf(origin: string, tls: Connecting, own: { pipelining?: 0 } = {}): Dispatcher {
  const none = { headersTimeout: 0, bodyTimeout: 0, ...own };
  return PROXIES.some((name) => process.env[name])
    ? new EnvHttpProxyAgent({ connect: tls, requestTls: tls, ...none })
    : new Pool(origin, { connect: tls, ...none });
}

/** An observer's trace context replaces the caller's: an upstream reads only one. */
function withCarried(passed: readonly string[], carried: Carried): string[] {
  const kept = passed.filter((_, at) => !((passed[at - (at % 2)] ?? '') in carried));
  return [...kept, ...Object.entries(carried).flat()];
}

/** Each is empty or begins with a question mark. */
function joinedQuery(first: string, second: string): string {
  return first === '' || second === '' ? first + second : `${first}&${second.slice(1)}`;
}

function withoutSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

function secretsOf({ apiKey, apiKeys }: UpstreamSettings): string[] | undefined {
  if (apiKey === undefined && apiKeys === undefined) return undefined;
  return [...(apiKey === undefined ? [] : [apiKey]), ...(apiKeys ?? [])];
}

function headersOf({ headers }: UpstreamSettings): string[] {
  const ours = ['accept', 'application/json, text/event-stream', 'accept-encoding', 'identity'];
  return [...ours, ...Object.entries(headers).flat()];
}
