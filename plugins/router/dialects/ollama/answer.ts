/** Answers of Ollama's own API, whole and as lines of a stream. */
import type { Asked, Json } from '../dialect.js';
import type { CallPart, FinishReason, NeutralAnswer, NeutralUsage } from '../neutral.js';
import { textOf } from '../parts.js';
import { argumentsObject, given } from '../reading.js';

export function writeAnswer({ parts, finish, usage }: NeutralAnswer, asked: Asked): Json {
  const thought = textOf(parts, 'thinking');
  const calls = parts.filter((part) => part.kind === 'call');
  const said = {
    content: textOf(parts, 'text'),
    ...(thought !== '' && { thinking: thought }),
    ...(calls.length > 0 && { tool_calls: calls.map(writeCall) }),
  };
  return { ...lineOf(asked, said), ...writeEnd(finish, usage) };
}

export function writeCall({ id, name, arguments: made }: CallPart, index: number): Json {
  return { id, function: { index, name, arguments: argumentsObject(made) } };
}

interface Said {
  readonly content?: string;
  readonly thinking?: string;
  readonly tool_calls?: readonly Json[];
}

/** What was said: `/api/chat` has it in a message. */
export function lineOf({ model, body }: Asked, { content = '', ...more }: Said): Json {
  const head = { model, created_at: new Date().toISOString() };
  return body['messages'] === undefined
    ? { ...head, response: content, ...more, done: false }
    : { ...head, message: { role: 'assistant', content, ...more }, done: false };
}

const REASONS: Partial<Record<FinishReason, string>> = {
  length: 'length',
  context: 'length',
  filter: 'content_filter',
};

/** What the upstream does not count is left out. */
export function writeEnd(finish: FinishReason, { input, output }: NeutralUsage): Json {
  return given({
    done: true,
    done_reason: REASONS[finish] ?? 'stop',
    prompt_eval_count: input ?? undefined,
    eval_count: output ?? undefined,
  });
}
