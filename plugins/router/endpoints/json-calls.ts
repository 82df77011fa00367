/** Calls that are no conversations: a body of JSON goes to an upstream, and its answer is checked and passed on. */
import { nextTurn } from 'plugboard/sdk';
import type { Answer } from '../call/answers.js';
import type { LongMember } from '../call/answer-edges.js';
import type { Caller } from '../call/call.js';
import type { ServedCall } from '../call/served-call.js';
import type { CallContext } from '../call/model-request.js';
import { send, type Limits } from '../call/exchange.js';
import { AttemptFailure } from '../call/failure.js';
import { PassedAnswer } from '../call/passed-answer.js';
import { readJson, readOrPass, type JsonAnswer } from '../call/read-answer.js';
import type { RequestBody } from '../call/request-body.js';
import type { Watchdog } from '../call/watchdog.js';
import type { Target } from '../catalog.js';
import type { UpstreamAnswer } from '../upstream/answer.js';
import { readTokens } from '../usage/tokens.js';

export interface NamesModel {
  model: string;
  [member: string]: unknown;
}

/** A call as one upstream is sent it. */
export interface Wire {
  readonly path: string;
  readonly body: string;
  /** To the shape that the client reads; left out, it has that already. */
  read?(answer: JsonAnswer): JsonAnswer;
}

export interface JsonCall {
  readonly model: string;
  readonly characters: () => number;
  /** The most tokens that it wants back; undefined if it does not say. */
  readonly maxTokens: number | undefined;
  /** Throws an `AttemptFailure` if the upstream has no such call. */
  wire(target: Target): Wire;
  /** Throws an `AttemptFailure` when the answer is not what was asked for. */
  check(answer: JsonAnswer): void;
  /** The long member of a large answer, which is passed on unread. Undefined: each is read whole. */
  readonly long: LongMember | undefined;
  /** In the form that the client asked for. */
  encode?(answer: JsonAnswer): string;
  /** What the model said, where answers have tokens. */
  said?(answer: JsonAnswer): string;
}

/** Characters of a call. */
const LONG = 500_000;

export class JsonCalls {
  readonly #caller: Caller;
  readonly #limits: Limits;

  constructor(caller: Caller, limits: Limits) {
    this.#caller = caller;
    this.#limits = limits;
  }

  /** The whole answer, parsed and checked. */
  async whole(asked: JsonCall, call: CallContext): Promise<JsonAnswer> {
    const served = await this.#place(asked, call, readJson);
    endWhole(served, asked, served.answer);
    return served.answer;
  }

  /** A small answer is checked and encoded; a large one with its long member is passed on. */
  async pass(asked: JsonCall, call: CallContext): Promise<Answer> {
    const { long } = asked;
    const served = await this.#place(
      asked,
      call,
      long === undefined
        ? readJson
        : (answer, watchdog, limits) => readOrPass(answer, watchdog, limits, long),
    );
    const { answer, upstream } = served;
    if (!(answer instanceof PassedAnswer)) {
      const cost = endWhole(served, asked, answer);
      return { body: asked.encode?.(answer) ?? answer.text, upstream, cost };
    }
    answer.follow(({ tokens, bytes, model, failure }) =>
      served.end({
        tokens,
        answer: asked.said === undefined ? null : { characters: bytes },
        servedModel: model,
        failure,
      }),
    );
    return { body: answer, upstream };
  }

  #place<T extends JsonAnswer | PassedAnswer>(
    asked: JsonCall,
    call: CallContext,
    read: (answer: UpstreamAnswer, watchdog: Watchdog, limits: Limits) => T | Promise<T>,
  ): Promise<ServedCall<T | JsonAnswer>> {
    const { model, maxTokens, characters } = asked;
    const body = (target: Target): string => asked.wire(target).body;
    const place = { model, stream: false, maxTokens, characters, body };
    return this.#caller.place(place, call, async ({ target, key, watchdog }) => {
      const { path, body, read: translate } = asked.wire(target);
      // A long text was just written, and is encoded next.
      if (body.length > LONG) await nextTurn();
      const sent = { path, body, passed: call.passed };
      const began = await send(target.upstream, key, sent, watchdog, this.#limits);
      const reading = read(began, watchdog, this.#limits);
      const answer = reading instanceof Promise ? await reading : reading;
      if (answer instanceof PassedAnswer) return answer;
      const translated = translate?.(answer) ?? answer;
      asked.check(translated);
      return translated;
    });
  }
}

/** The client's own body with the model's name at the upstream, at one of OpenAI's paths. */
export function passedOn(path: `/${string}`, body: RequestBody<NamesModel>): JsonCall['wire'] {
  return (target) => ({
    path: pathAt(target, path),
    body: body.write({ ...body.value, model: target.model }),
  });
}

export function pathAt({ upstream, model }: Target, path: `/${string}`): string {
  const own = upstream.kind.path(path, model);
  if (own !== undefined) return own;
  throw new AttemptFailure('unsayable', 'unsupported_path', {
    unfit: 'unsupported',
    rejection: {
      status: 400,
      message: `an upstream of dialect ${upstream.kind.wire} has no ${path.slice(1)}`,
      code: 'unsupported_path',
      param: null,
    },
  });
}

/** The upstream's dialect cannot express what the client asks. */
export function unsayable({ upstream }: Target, param: string): AttemptFailure {
  return new AttemptFailure('unsayable', 'unsupported_parameter', {
    unfit: 'unsupported',
    rejection: {
      status: 400,
      message: `an upstream of dialect ${upstream.kind.wire} has no "${param}"; leave it out or use another model`,
      code: 'unsupported_parameter',
      param,
    },
  });
}

function endWhole<T>({ end }: ServedCall<T>, { said }: JsonCall, answer: JsonAnswer): number | null {
  const { json } = answer;
  const tokens = readTokens(json['usage'] ?? (json['meta'] as { tokens?: unknown } | undefined)?.tokens);
  const servedModel = typeof json['model'] === 'string' ? json['model'] : null;
  return end({ tokens, answer: said?.(answer) ?? null, servedModel, failure: null });
}
