/** A whole completion as the events of a stream. */
import { AttemptFailure } from './failure.js';
import { parseObject } from './read-answer.js';
import type { SseEvent } from './sse.js';

interface Choice {
  readonly message?: { readonly tool_calls?: readonly object[] };
  readonly [member: string]: unknown;
}

/** Throws an `AttemptFailure` for a text that is no completion. */
export function completionEvents(text: string): SseEvent[] {
  if (!text.startsWith('{')) throw new AttemptFailure('invalid', 'not_a_stream');
  const { choices, usage, ...completion } = parseObject(text);
  if (!Array.isArray(choices) || choices.length === 0) throw new AttemptFailure('invalid', 'not_a_stream');
  const isText = completion['object'] === 'text_completion';
  const common = isText ? completion : { ...completion, object: 'chat.completion.chunk' };
  const events = [eventOf({ ...common, choices: isText ? choices : (choices as Choice[]).map(chunkChoice) })];
  if (usage !== undefined && usage !== null) events.push(eventOf({ ...common, choices: [], usage }));
  return events;
}

function chunkChoice({ message, ...choice }: Choice): object {
  const calls = message?.tool_calls?.map((call, index) => ({ index, ...call }));
  return { ...choice, delta: { ...message, ...(calls !== undefined && { tool_calls: calls }) } };
}

function eventOf(chunk: object): SseEvent {
  const data = JSON.stringify(chunk);
  return { data, text: `data: ${data}\n\n` };
}
