/** Completions of a bare text, OpenAI's first API: base models and those that fill in code are asked this way. */
import type { ServiceError } from 'plugboard/sdk';
import type { StreamAnswer } from '../call/answers.js';
import type { Caller } from '../call/call.js';
import type { CallContext } from '../call/model-request.js';
import { ChatStream } from '../call/chat-stream.js';
import { send, type Limits } from '../call/exchange.js';
import { AttemptFailure } from '../call/failure.js';
import { PassedChat } from '../call/passed-chat.js';
import { plannedTokens } from '../call/planned-tokens.js';
import type { JsonAnswer } from '../call/read-answer.js';
import type { RequestBody } from '../call/request-body.js';
import type { Target } from '../catalog.js';
import { passedOn, pathAt, type JsonCall, type NamesModel } from './json-calls.js';

interface Choice {
  readonly text?: unknown;
}

const PATH = '/completions';

export function textCompletionsCall(body: RequestBody<NamesModel>): JsonCall {
  return {
    model: body.value.model,
    characters: () => body.length,
    maxTokens: plannedTokens(body.value),
    wire: passedOn(PATH, body),
    check({ json }) {
      const choices: unknown = json['choices'];
      const isChoice = (choice: Choice | null): boolean => typeof choice?.text === 'string';
      if (!Array.isArray(choices) || choices.length === 0 || !choices.every(isChoice))
        throw new AttemptFailure('invalid', 'no_choices');
    },
    long: 'choices',
    said: ({ json }: JsonAnswer) =>
      (json['choices'] as Choice[]).map(({ text }) => text as string).join('\n'),
  };
}

/** `render` writes an error as JSON, for a failure in mid stream. */
export async function streamText(
  { caller, limits }: { readonly caller: Caller; readonly limits: Limits },
  body: RequestBody<NamesModel>,
  call: CallContext,
  render: (error: ServiceError) => string,
): Promise<StreamAnswer> {
  const { model, stream_options: options } = body.value;
  const asked = options as { include_usage?: unknown } | null | undefined;
  const written = ({ upstream, model: name }: Target): string =>
    body.write({
      ...body.value,
      model: name,
      ...(upstream.streamUsage && { stream_options: { ...asked, include_usage: true } }),
    });
  const place = {
    model,
    stream: true,
    maxTokens: plannedTokens(body.value),
    characters: () => body.length,
    body: written,
  };
  const served = await caller.place(place, call, async (attempt) => {
    const { target, key, watchdog, fallbackOn } = attempt;
    const sent = { path: pathAt(target, PATH), body: written(target), passed: call.passed };
    const headers = Math.min(limits.headers, limits.firstToken);
    const answer = await send(target.upstream, key, sent, watchdog, { ...limits, headers });
    const codec = new PassedChat({
      passUsage: asked?.include_usage === true,
      refuseFiltered: fallbackOn.has('content_filter'),
    });
    return ChatStream.open(answer, watchdog, limits, codec);
  });
  const events = served.answer;
  events.follow({
    describe: (failure) => `data: ${render(served.describe(failure))}\n\n`,
    ended: ({ tokens, answer, model: servedModel, failure }) =>
      served.end({ tokens, answer, servedModel, failure }),
  });
  return { events, upstream: served.upstream };
}
