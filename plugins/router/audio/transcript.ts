/** What an upstream answers of a recording: a text in one of several formats, whole or streamed. */
import { AttemptFailure } from '../call/failure.js';
import { parseObject } from '../call/read-answer.js';
import { dataOf, type SseEvent } from '../call/sse.js';
import type { StreamCodec } from '../call/stream-codec.js';
import { Said } from '../estimate/said.js';
import type { Sound } from '../money/cost.js';
import { NO_TOKENS, readTokens, type TokenUsage } from '../usage/tokens.js';

type Json = Readonly<Record<string, unknown>>;

export interface HeardUsage {
  readonly tokens: TokenUsage;
  /** Undefined if the upstream reports neither the length nor the tokens of the sound. */
  readonly sound: Sound | undefined;
}

/** By tokens or by seconds, and verbose answers without either say how long the sound is. */
export function usageOf({ usage, duration }: Json): HeardUsage {
  const {
    type,
    seconds,
    input_token_details: details,
  } = (usage ?? {}) as {
    readonly type?: unknown;
    readonly seconds?: unknown;
    readonly input_token_details?: { readonly audio_tokens?: unknown } | null;
  };
  if (type === 'duration' || typeof seconds === 'number' || usage === undefined || usage === null) {
    const heard = Number(seconds ?? duration);
    if (!(heard >= 0 && heard < Infinity)) return { tokens: NO_TOKENS, sound: undefined };
    // Billed by its length: there are no tokens to count.
    return { tokens: { ...NO_TOKENS, tokensIn: 0, tokensOut: 0 }, sound: { tokens: 0, seconds: heard } };
  }
  const tokens = readTokens(usage);
  const heard = Number(details?.audio_tokens ?? 0);
  const most = tokens.tokensIn ?? 0;
  return { tokens, sound: { tokens: heard > 0 ? Math.min(heard, most) : 0, seconds: 0 } };
}

/** Throws an `AttemptFailure` for JSON without a text. */
export function textOf({ text }: Json): string {
  if (typeof text === 'string') return text;
  throw new AttemptFailure('invalid', 'no_text');
}

/** A transcript as it comes: `transcript.text.delta` with pieces, and `transcript.text.done` with the whole. */
export class TranscriptStream implements StreamCodec {
  begun = false;
  done = false;
  tokens = NO_TOKENS;
  sound: Sound | undefined;
  readonly model = null;
  readonly said = new Said();
  readonly sent = this.said;

  get complete(): boolean {
    return this.done;
  }

  take({ data, text }: SseEvent): string {
    if (this.done || data === '' || data === '[DONE]') return '';
    if (data === undefined) return this.begun ? text : '';
    const event = parseObject(data);
    if (event['type'] === 'error') throw new AttemptFailure('failed', 'error_in_stream');
    this.begun = true;
    if (typeof event['delta'] === 'string') this.said.add(event['delta']);
    if (event['type'] === 'transcript.text.done') {
      this.done = true;
      if (this.said.all === '') this.said.add(textOf(event));
      ({ tokens: this.tokens, sound: this.sound } = usageOf(event));
    }
    return text;
  }

  end(rest: string): string {
    // Servers that do not stream answer with the whole.
    const event = this.begun || !rest.startsWith('{') ? lastEvent(rest) : wholeEvent(rest);
    const text = event === undefined ? '' : this.take(event);
    if (this.done) return text;
    throw this.begun
      ? new AttemptFailure('failed', 'stream_broken_off')
      : new AttemptFailure('invalid', rest === '' ? 'empty_stream' : 'not_a_stream');
  }

  fail(_: unknown, json: string): string {
    return `data: ${json}\n\n`;
  }
}

/** Some servers omit the blank line after the last event. */
function lastEvent(rest: string): SseEvent | undefined {
  const data = dataOf(rest);
  return data === undefined ? undefined : { data, text: `${rest}\n\n` };
}

function wholeEvent(rest: string): SseEvent {
  const answer = parseObject(rest);
  const data = JSON.stringify({ ...answer, type: 'transcript.text.done', text: textOf(answer) });
  return { data, text: `data: ${data}\n\n` };
}
