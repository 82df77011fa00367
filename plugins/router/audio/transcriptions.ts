/** Recordings to texts: the client's form goes to an upstream with the model's name there, and the text comes back. */
import type { ServiceError } from 'plugboard/sdk';
import type { Caller } from '../call/call.js';
import type { CallOutcome } from '../call/served-call.js';
import { ChatStream } from '../call/chat-stream.js';
import { attemptFailure, send, type Limits } from '../call/exchange.js';
import type { Attempt } from '../call/failover.js';
import type { StreamAnswer } from '../call/answers.js';
import type { CallContext, ModelRequest } from '../call/model-request.js';
import { parseObject } from '../call/read-answer.js';
import { pathAt } from '../endpoints/json-calls.js';
import type { UpstreamAnswer } from '../upstream/answer.js';
import { writeForm, type Form } from './form.js';
import { textOf, TranscriptStream, usageOf, type HeardUsage } from './transcript.js';

export interface Recording {
  readonly path: '/audio/transcriptions' | '/audio/translations';
  readonly model: string;
  readonly form: Form;
}

export interface Transcript {
  readonly body: string;
  /** As the upstream says it. */
  readonly type: string;
  readonly upstream: string;
  readonly cost: number | null;
}

interface Parts {
  readonly caller: Caller;
  readonly limits: Limits;
}

/** Formats that are no JSON. */
const PLAIN: ReadonlySet<string | undefined> = new Set(['text', 'srt', 'vtt']);
/** Estimates: bytes of a second of sound at 128 kbit/s, tokens of that, and characters of those. */
const SECOND = 16_000;
const TOKENS = 10;
const CHARACTERS = 3;

export async function transcribe(
  { caller, limits }: Parts,
  recording: Recording,
  call: CallContext,
): Promise<Transcript> {
  const isPlain = PLAIN.has(fieldOf(recording.form, 'response_format'));
  const served = await caller.place(placeOf(recording, false), call, async (attempt) => {
    const answer = await sendTo(attempt, recording, call, limits);
    const { idle, maxAnswerBytes } = limits;
    attempt.watchdog.arm('idle', idle);
    const text = await answer
      .text(maxAnswerBytes, () => attempt.watchdog.arm('idle', idle))
      .catch((error: unknown) => {
        throw attemptFailure(error);
      });
    const type =
      answer.headers['content-type'] ?? (isPlain ? 'text/plain; charset=utf-8' : 'application/json');
    if (isPlain) return { text, type, said: text, heard: usageOf({}) };
    const json = parseObject(text);
    return { text, type, said: textOf(json), heard: usageOf(json) };
  });
  const { text, type, said, heard } = served.answer;
  const cost = served.end(outcomeOf(recording, said, heard));
  return { body: text, type, upstream: served.upstream, cost };
}

/** `render` writes an error as JSON, for a failure in mid stream. */
export async function streamTranscript(
  { caller, limits }: Parts,
  recording: Recording,
  call: CallContext,
  render: (error: ServiceError) => string,
): Promise<StreamAnswer> {
  const served = await caller.place(placeOf(recording, true), call, async (attempt) => {
    const headers = Math.min(limits.headers, limits.firstToken);
    const answer = await sendTo(attempt, recording, call, { ...limits, headers });
    const codec = new TranscriptStream();
    return { codec, events: await ChatStream.open(answer, attempt.watchdog, limits, codec) };
  });
  const { codec, events } = served.answer;
  events.follow({
    describe: (failure) => `data: ${render(served.describe(failure))}\n\n`,
    ended: ({ tokens, answer, failure }) =>
      served.end({ ...outcomeOf(recording, answer, { tokens, sound: codec.sound }), failure }),
  });
  return { events, upstream: served.upstream };
}

export function fieldOf({ fields }: Form, wanted: string): string | undefined {
  return fields.find(([name]) => name === wanted)?.[1];
}

function sendTo(
  { target, key, watchdog }: Attempt,
  { path, form }: Recording,
  { passed }: CallContext,
  limits: Limits,
): Promise<UpstreamAnswer> {
  const others = form.fields.filter(([name]) => name !== 'model');
  const body = writeForm({ ...form, fields: [['model', target.model], ...others] });
  return send(target.upstream, key, { path: pathAt(target, path), body, passed }, watchdog, limits);
}

function placeOf(recording: Recording, stream: boolean): ModelRequest {
  const seconds = lengthOf(recording.form);
  return {
    model: recording.model,
    stream,
    maxTokens: undefined,
    characters: () => seconds * TOKENS * CHARACTERS,
    seconds,
    // A recording is estimated as a picture is.
    body: () => JSON.stringify({ prompt: fieldOf(recording.form, 'prompt') ?? '', data: 'recording' }),
  };
}

function outcomeOf(
  { form }: Recording,
  answer: CallOutcome['answer'],
  { tokens, sound }: HeardUsage,
): CallOutcome {
  const heard = sound ?? { tokens: 0, seconds: lengthOf(form) };
  return { tokens, answer, sound: heard, servedModel: null, failure: null };
}

/** Seconds, by the size of the file. */
function lengthOf({ file }: Form): number {
  return (file?.pieces ?? []).reduce((sum, { length }) => sum + length, 0) / SECOND;
}
