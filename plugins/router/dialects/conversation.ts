/** One conversation of a client: what each upstream is sent of it, in the upstream's own dialect. */
import { isServiceError, type ChatRequest } from 'plugboard/sdk';
import { AttemptFailure } from '../call/failure.js';
import { plannedTokens } from '../call/planned-tokens.js';
import { RequestBody } from '../call/request-body.js';
import type { Upstream } from '../upstream/upstream.js';
import { clients, dialects } from './by-name.js';
import { readRequest as readChat } from './chat/request-in.js';
import { shownRequest } from './chat/request-out.js';
import { readFromClient } from './client-fault.js';
import type { Asked, ClientDialect, Json } from './dialect.js';
import type { ClientName, DialectName, NeutralRequest } from './neutral.js';
import { isObject, Unsayable } from './reading.js';
import { markIn } from './signatures.js';

export interface ConversationInput {
  readonly client: ClientName;
  /** As the client named it. */
  readonly model: string;
  readonly stream: boolean;
  readonly body: RequestBody<Json>;
}

export class Conversation {
  readonly client: ClientDialect;
  readonly model: string;
  readonly stream: boolean;
  readonly #body: RequestBody<Json>;
  #value: Json;
  /** What other plugins made of it. */
  #changed: NeutralRequest | undefined;
  #read: NeutralRequest | undefined;
  #hasForeign: boolean | undefined;
  /** What upstreams are not sent although the client said it, by its names. */
  readonly omitted = new Set<string>();

  constructor({ client, model, stream, body }: ConversationInput) {
    this.client = clients[client];
    this.model = model;
    this.stream = stream;
    this.#body = body;
    this.#value = body.value;
  }

  get asked(): Asked {
    const neutral = (): NeutralRequest => this.neutral;
    return {
      model: this.model,
      body: this.#body.value,
      // Read on demand: a passed body may hold what the neutral form does not.
      get request() {
        return neutral();
      },
    };
  }

  /** Throws `invalid_request` for a body that is none of the dialect. */
  get neutral(): NeutralRequest {
    this.#read ??= this.#changed ?? readRequest(this.client, this.#value);
    return this.#read;
  }

  /** Characters of the client's body. */
  get length(): number {
    return this.#body.length;
  }

  /** The most tokens that the client wants, of all answers together; undefined if it does not say. */
  get maxTokens(): number | undefined {
    if (this.client.name === 'ollama') return this.neutral.settings.maxTokens;
    const body = this.#value;
    const config = body['generationConfig'] ?? body['generation_config'];
    return plannedTokens(isObject(config) ? { ...body, ...config } : body);
  }

  /** The client's body as JSON. */
  get text(): string {
    return this.#body.write(this.#value);
  }

  /** The canonical request for the cache: without members that only say who asks, in a fixed order. */
  get fingerprint(): string {
    if (this.#changed !== undefined) return JSON.stringify(this.#changed);
    const names = Object.keys(this.#value).filter((name) => !ASIDE.has(name));
    return names
      .toSorted()
      .map((name) => this.#member(name))
      .join('\n');
  }

  /** What is said, as chat completions have it, in JSON: as it is sent, with what other plugins made of it. */
  get messages(): string {
    if (this.client.name === 'chat') return this.#member('messages');
    try {
      return JSON.stringify({ messages: shownRequest(this.neutral, this.model)['messages'] });
    } catch (error) {
      // What passes may hold what the neutral form does not.
      if (isServiceError(error)) return this.text;
      throw error;
    }
  }

  /** As chat completions, which other plugins read. */
  get shown(): RequestBody<ChatRequest> {
    if (this.client.name === 'chat') return this.#body as unknown as RequestBody<ChatRequest>;
    // With a text it is frozen when they see it.
    return new RequestBody(shownRequest(this.neutral, this.model) as unknown as ChatRequest, '{}');
  }

  /** More than one answer: only the first of them has a neutral form. */
  get wantsSeveral(): boolean {
    const body = this.#value;
    const config = body['generationConfig'] ?? body['generation_config'] ?? {};
    const { candidateCount, candidate_count: inSnakeCase } = config as Json;
    const wanted = [body['n'], candidateCount, inSnakeCase];
    return wanted.some((count) => count !== undefined && count !== null && count !== 1);
  }

  /** A client of chat completions wants the event with the token counts. */
  get wantsUsage(): boolean {
    const options = this.#value['stream_options'];
    return isObject(options) && options['include_usage'] === true;
  }

  /** What they made of `shown`. */
  change(shown: Json, changed: Json): void {
    if (shown === changed) return;
    if (this.client.name === 'chat') {
      this.#value = changed;
      this.#read = undefined;
      return;
    }
    const before = this.neutral;
    const after = readRequest(dialects.chat, changed, readChat);
    const isMore = Object.keys(changed).some((name) => name !== 'messages' && changed[name] !== shown[name]);
    const { system, turns } = after;
    this.#changed = isMore
      ? { ...after, own: before.own, omitted: before.omitted }
      : { ...before, system, turns };
    this.#read = this.#changed;
  }

  /** Whether the upstream gets the client's own text, and the client the upstream's. */
  passes({ kind }: Upstream): boolean {
    if (kind.wire !== this.client.name || this.#changed !== undefined) return false;
    this.#hasForeign ??= this.#body.includes(markIn(this.client.name));
    return !this.#hasForeign;
  }

  /** The body for an upstream. Throws an `AttemptFailure` if its dialect cannot express what is asked. */
  bodyFor(upstream: Upstream, model: string): string {
    const { wire } = upstream.kind;
    if (this.passes(upstream)) return this.#body.write(this.#passed(upstream, model));
    const dialect = dialects[wire];
    const request = wire === this.client.name ? this.neutral : this.#forOthers(upstream);
    try {
      const written = dialect.writeRequest(request, { model, stream: this.stream });
      for (const name of request.omitted) this.omitted.add(name);
      const usage = this.stream && wire === 'chat' && upstream.streamUsage;
      return JSON.stringify(usage ? { ...written, stream_options: { include_usage: true } } : written);
    } catch (error) {
      if (error instanceof Unsayable)
        throw this.#refusal(upstream, this.client.names[error.what] ?? error.what);
      throw error;
    }
  }

  /** In the client's own words, unless other plugins made it another. */
  #member(name: string): string {
    return this.#body.write({ [name]: this.#value[name] });
  }

  #passed(upstream: Upstream, model: string): Json {
    if (this.client.name === 'gemini') return this.#value;
    const named = { ...this.#value, model };
    if (this.client.name === 'responses') return { ...named, store: false };
    if (this.client.name !== 'chat') return named;
    if (!this.stream) return this.#value['stream'] === undefined ? named : { ...named, stream: false };
    const options = this.#value['stream_options'];
    const usage = upstream.streamUsage
      ? { stream_options: { ...(isObject(options) && options), include_usage: true } }
      : {};
    return { ...named, stream: true, ...usage };
  }

  /** Without members only the client's dialect has: they are refused, or left out if they make no difference. */
  #forOthers(upstream: Upstream): NeutralRequest {
    const { own, ...request } = this.neutral;
    for (const name of Object.keys(own)) {
      if (!this.client.dispensable.has(name)) throw this.#refusal(upstream, name);
      this.omitted.add(name);
    }
    return { ...request, own: {} };
  }

  #refusal({ kind }: Upstream, param: string): AttemptFailure {
    return new AttemptFailure('unsayable', 'unsupported_parameter', {
      unfit: 'unsupported',
      rejection: {
        status: 400,
        message: `it speaks ${WORDS[kind.wire]}, which has no "${param}"; leave it out or use another model`,
        code: 'unsupported_parameter',
        param,
      },
    });
  }
}

/** Members that say who asks and how it is accounted, and change nothing of an answer. */
const ASIDE: ReadonlySet<string> = new Set([
  'model',
  'stream',
  'user',
  'safety_identifier',
  'metadata',
  'store',
  'prompt_cache_key',
]);

const WORDS: Readonly<Record<DialectName, string>> = {
  chat: 'chat completions',
  responses: 'Responses',
  anthropic: "Anthropic's messages",
  gemini: "Google's generateContent",
};

function readRequest(dialect: ClientDialect, body: Json, read = dialect.readRequest): NeutralRequest {
  return readFromClient(() => read(body));
}
