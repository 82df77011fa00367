/** Conversations between clients and upstreams, each in its own dialect. */
import { Readable } from 'node:stream';
import { nextTurn, type ServiceError } from 'plugboard/sdk';
import type { Answer, StreamAnswer } from './call/answers.js';
import type { Caller } from './call/call.js';
import type { CallContext, ModelRequest } from './call/model-request.js';
import { ChatStream } from './call/chat-stream.js';
import { send, type Limits, type SentRequest } from './call/exchange.js';
import { AttemptFailure, guardFailure } from './call/failure.js';
import type { Attempt } from './call/failover.js';
import { PassedAnswer } from './call/passed-answer.js';
import { PassedChat } from './call/passed-chat.js';
import { anthropicHeaders, versionOf } from './call/passed-headers.js';
import { readJson, readOrPass, type JsonAnswer } from './call/read-answer.js';
import type { ServedCall } from './call/served-call.js';
import { KeptCodec } from './call/kept-codec.js';
import type { StreamCodec } from './call/stream-codec.js';
import type { AnswerCache, CachedAnswer, CacheEntry } from './cache/answer-cache.js';
import type { Catalog } from './catalog.js';
import { dialects } from './dialects/by-name.js';
import type { Conversation } from './dialects/conversation.js';
import { TranslatedStream } from './dialects/translated-stream.js';
import { errors } from './errors.js';
import type { AnswerGuard, AnswerGuards } from './guards/guards.js';
import type { Headers, Interceptors } from './interceptors.js';
import type { Unfit } from './schema.js';
import type { RecordedTexts } from './texts/recorded-texts.js';
import type { UpstreamAnswer } from './upstream/answer.js';
import { FREE } from './usage/tokens.js';
import { spoken, wholeOf, type WholeAnswer } from './whole-answer.js';

/** A call with what interceptors are shown of it. */
export interface ClientCall extends CallContext {
  readonly headers: Headers;
}

export interface ConversationParts {
  readonly caller: Caller;
  readonly catalog: Catalog;
  readonly interceptors: Interceptors;
  readonly guards: AnswerGuards;
  /** Undefined: no answer is given again. */
  readonly cache: AnswerCache | undefined;
  /** Undefined: no texts are recorded. */
  readonly texts: RecordedTexts | undefined;
  readonly limits: Limits;
}

interface EndedAnswer {
  readonly text: string;
  readonly cost: number | null;
}

interface OpenStream {
  readonly events: ChatStream;
  readonly codec: StreamCodec;
}

/** Characters of a call. */
const LONG = 500_000;

export class Conversations {
  readonly #caller: Caller;
  readonly #catalog: Catalog;
  readonly #interceptors: Interceptors;
  readonly #guards: AnswerGuards;
  readonly #cache: AnswerCache | undefined;
  readonly #texts: RecordedTexts | undefined;
  readonly #limits: Limits;

  constructor({ caller, catalog, interceptors, guards, cache, texts, limits }: ConversationParts) {
    this.#caller = caller;
    this.#catalog = catalog;
    this.#interceptors = interceptors;
    this.#guards = guards;
    this.#cache = cache;
    this.#texts = texts;
    this.#limits = limits;
  }

  /** What a client is answered. */
  answer(talk: Conversation, given: ClientCall): Promise<Answer> {
    const call = this.#recorded(given);
    // Without interceptors nothing is awaited: each promise step is measurable in a call.
    return this.#interceptors.areNoneOf(true)
      ? this.#answerOrReplay(talk, call)
      : this.#intercept(talk, call, true).then(() => this.#answerOrReplay(talk, call));
  }

  /** `render` writes an error as JSON in the client's dialect, for a failure in mid stream. */
  async stream(
    talk: Conversation,
    given: ClientCall,
    render: (error: ServiceError) => string,
  ): Promise<StreamAnswer> {
    const call = this.#recorded(given);
    await this.#intercept(talk, call, true);
    const entry = this.#begin(talk, call);
    const hit = await entry?.read();
    if (hit !== undefined) return { ...this.#replay(hit, talk, call), events: Readable.from([hit.body]) };
    const handling = { guard: this.#guardOf(talk, call), kept: entry?.most };
    const served = await this.#caller.place(requestOf(talk), call, (attempt) =>
      this.#open(attempt, talk, call, handling),
    );
    const { events, codec } = served.answer;
    events.follow({
      describe: (failure) => {
        const error = served.describe(failure);
        return codec.fail(error, render(error));
      },
      ended: ({ tokens, answer, model, failure }) => {
        const sent = codec.sent.all;
        if (call.texts !== undefined && typeof sent === 'string') call.texts.answer = sent;
        const body = failure === null && codec instanceof KeptCodec ? codec.whole : undefined;
        if (body !== undefined) entry?.write({ body, upstream: served.upstream });
        served.end({ tokens, answer, servedModel: model, failure });
      },
    });
    return { events, upstream: served.upstream, ...(entry !== undefined && { cache: 'miss' }) };
  }

  /** The whole answer as JSON, of any length; interceptors see the call if `intercept` says so, guards always. */
  async whole(talk: Conversation, given: ClientCall, intercept: boolean): Promise<string> {
    const call = this.#recorded(given);
    await this.#intercept(talk, call, intercept);
    note(talk, call);
    const guard = this.#guardOf(talk, call);
    const served = await this.#caller.place(requestOf(talk), call, (attempt) =>
      this.#ask(attempt, talk, call, guard, async (answer) =>
        readJson(answer, attempt.watchdog, this.#limits),
      ),
    );
    const answer = served.answer as WholeAnswer;
    return (await this.#end(talk, call, { ...served, answer }, guard)).text;
  }

  /** Counted by the vendor of the first target, if it counts for this dialect; else undefined. */
  async count(talk: Conversation, call: ClientCall): Promise<{ body: string; upstream: string } | undefined> {
    const first = this.#catalog.first(talk.model);
    if (first.kind.wire !== talk.client.name || first.kind.path('count', talk.model) === undefined)
      return undefined;
    const served = await this.#caller.place(requestOf(talk), call, async (attempt) => {
      const { target, key, watchdog } = attempt;
      const path = target.upstream.kind.path('count', target.model);
      if (path === undefined || !talk.passes(target.upstream))
        throw new AttemptFailure('unsayable', 'no_count', { unfit: 'unsupported' });
      const sent = {
        path,
        body: talk.bodyFor(target.upstream, target.model),
        passed: [...(call.passed ?? []), ...anthropicHeaders(call.headers, target.upstream)],
      };
      return readJson(await send(target.upstream, key, sent, watchdog, this.#limits), watchdog, this.#limits);
    });
    served.end({ tokens: FREE, answer: null, servedModel: null, failure: null });
    return { body: served.answer.text, upstream: served.upstream };
  }

  /** The call with its recording, if it is recorded. */
  #recorded(call: ClientCall): ClientCall {
    const texts = this.#texts?.begin(call.caller);
    return texts === undefined ? call : { ...call, texts };
  }

  /** Call it after all changes to the request. Undefined if the answer is not to be cached. */
  #begin(talk: Conversation, call: ClientCall): CacheEntry | undefined {
    note(talk, call);
    return this.#cache?.entryOf(talk, call);
  }

  #answerOrReplay(talk: Conversation, call: ClientCall): Promise<Answer> {
    const entry = this.#begin(talk, call);
    return entry === undefined ? this.#answer(talk, call) : this.#cached(entry, talk, call);
  }

  async #cached(entry: CacheEntry, talk: Conversation, call: ClientCall): Promise<Answer> {
    const hit = await entry.read();
    if (hit !== undefined) return { ...this.#replay(hit, talk, call), body: hit.body };
    const answer = await this.#answer(talk, call);
    const { body, upstream } = answer;
    if (typeof body === 'string') entry.write({ body, upstream });
    return { ...answer, cache: 'miss' };
  }

  #replay(
    { body, upstream }: CachedAnswer,
    talk: Conversation,
    call: ClientCall,
  ): { upstream: string; cost: 0; cache: 'hit' } {
    if (call.texts !== undefined) call.texts.answer = body;
    this.#caller.replay(requestOf(talk), call);
    return { upstream, cost: 0, cache: 'hit' };
  }

  async #answer(talk: Conversation, call: ClientCall): Promise<Answer> {
    const guard = this.#guardOf(talk, call);
    const served = await this.#caller.place(requestOf(talk), call, (attempt) =>
      this.#ask(attempt, talk, call, guard, (answer) =>
        talk.client.name === 'chat' && guard === undefined && talk.passes(attempt.target.upstream)
          ? readOrPass(answer, attempt.watchdog, this.#limits, 'choices')
          : readJson(answer, attempt.watchdog, this.#limits),
      ),
    );
    const { answer, upstream } = served;
    if (answer instanceof PassedAnswer) {
      answer.follow(({ tokens, bytes, model, failure }) =>
        served.end({ tokens, answer: { characters: bytes }, servedModel: model, failure }),
      );
      return { body: answer, upstream };
    }
    const ended = this.#end(talk, call, { ...served, answer }, guard);
    const { text, cost } = ended instanceof Promise ? await ended : ended;
    return { body: text, upstream, cost };
  }

  /** Ends a call with a whole answer, after guards. */
  #end(
    talk: Conversation,
    { texts }: ClientCall,
    served: ServedCall<WholeAnswer>,
    guard: AnswerGuard | undefined,
  ): EndedAnswer | Promise<EndedAnswer> {
    const { text, tokens, said, model, neutral, spoken: speak } = served.answer;
    const end = (failure: AttemptFailure | null): number | null =>
      served.end({ tokens, answer: said, servedModel: model, failure, isWhole: true });
    if (guard === undefined || neutral === undefined) {
      if (texts !== undefined) texts.answer = speak();
      return { text, cost: end(null) };
    }
    const written = async (): Promise<EndedAnswer> => {
      let json: string;
      try {
        const guarded = await guard.whole(neutral);
        if (texts !== undefined) texts.answer = spoken(guarded);
        json = JSON.stringify(talk.client.writeAnswer(guarded, talk.asked));
      } catch (error) {
        const failure = guardFailure(error);
        end(failure);
        throw served.describe(failure);
      }
      return { text: json, cost: end(null) };
    };
    return written();
  }

  #guardOf(talk: Conversation, { caller }: ClientCall): AnswerGuard | undefined {
    const guard = this.#guards.begin(caller);
    if (guard !== undefined && talk.wantsSeveral) throw errors.unguarded();
    return guard;
  }

  async #intercept(talk: Conversation, call: ClientCall, all: boolean): Promise<void> {
    if (this.#interceptors.areNoneOf(all)) return;
    const shown = talk.shown;
    talk.change(shown.value, await this.#interceptors.see(shown, call, all));
  }

  async #ask(
    attempt: Attempt,
    talk: Conversation,
    call: ClientCall,
    guard: AnswerGuard | undefined,
    read: (answer: UpstreamAnswer) => JsonAnswer | PassedAnswer | Promise<JsonAnswer | PassedAnswer>,
  ): Promise<WholeAnswer | PassedAnswer> {
    const { target, key, watchdog, fallbackOn } = attempt;
    const sent = sentTo(attempt, talk, call);
    // A long text was just written, and is encoded next.
    if (sent.body.length > LONG) await nextTurn();
    const reading = read(await send(target.upstream, key, sent, watchdog, this.#limits));
    const answer = reading instanceof Promise ? await reading : reading;
    return answer instanceof PassedAnswer
      ? answer
      : wholeOf(answer, attempt, talk, { fallbackOn, isGuarded: guard !== undefined });
  }

  async #open(
    attempt: Attempt,
    talk: Conversation,
    call: ClientCall,
    { guard, kept }: { readonly guard: AnswerGuard | undefined; readonly kept: number | undefined },
  ): Promise<OpenStream> {
    const { target, key, watchdog, fallbackOn } = attempt;
    const { headers, firstToken } = this.#limits;
    // A stream's headers come with its first event, or well before.
    const limits = { ...this.#limits, headers: Math.min(headers, firstToken) };
    const sent = sentTo(attempt, talk, call);
    if (sent.body.length > LONG) await nextTurn();
    const answer = await send(target.upstream, key, sent, watchdog, limits);
    const plain = codecFor(attempt, talk, fallbackOn, guard);
    const codec = kept === undefined ? plain : new KeptCodec(plain, kept);
    return { codec, events: await ChatStream.open(answer, watchdog, this.#limits, codec) };
  }
}

export function sentTo(
  { target: { upstream, model } }: Attempt,
  talk: Conversation,
  call: Pick<ClientCall, 'headers' | 'passed'>,
): SentRequest & { body: string } {
  const path = upstream.kind.path(talk.stream ? 'stream' : 'conversation', model);
  if (path === undefined) throw new AttemptFailure('invalid', 'no_conversations');
  return { path, body: talk.bodyFor(upstream, model), passed: [...(call.passed ?? []), ...own()] };

  function own(): string[] {
    const isTheirs = talk.client.name === 'anthropic' && upstream.kind.wire === 'anthropic';
    return isTheirs ? anthropicHeaders(call.headers, upstream) : versionOf(upstream);
  }
}

export function codecFor(
  { target: { upstream } }: Attempt,
  talk: Conversation,
  fallbackOn: ReadonlySet<Unfit>,
  guard?: AnswerGuard,
): StreamCodec {
  const refuseFiltered = fallbackOn.has('content_filter');
  const passes = talk.passes(upstream);
  if (passes && talk.client.name === 'chat' && guard === undefined)
    return new PassedChat({ passUsage: talk.wantsUsage, refuseFiltered });
  return new TranslatedStream(dialects[upstream.kind.wire], talk, { passes, refuseFiltered, guard });
}

function note(talk: Conversation, { texts }: ClientCall): void {
  if (texts !== undefined) texts.request = talk.messages;
}

function requestOf(talk: Conversation): ModelRequest {
  const { model, stream } = talk;
  const { maxTokens } = talk;
  return {
    model,
    stream,
    maxTokens,
    characters: () => talk.length,
    body: (target) => talk.bodyFor(target.upstream, target.model),
  };
}
