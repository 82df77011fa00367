/** Whole chat completions, read and written. */
import type { AnswerPart, FinishReason, NeutralAnswer, NeutralUsage } from '../neutral.js';
import {
  count,
  given,
  isObject,
  list,
  object,
  optionalList,
  optionalText,
  text,
  Unreadable,
} from '../reading.js';
import { textOf } from '../parts.js';
import { marked } from '../signatures.js';
import type { Asked, Json } from '../dialect.js';

export function readAnswer(answer: Json): NeutralAnswer {
  const choice = object(list(answer['choices'], 'choices')[0], 'choices[0]');
  const message = object(choice['message'], 'choices[0].message');
  const parts = readParts(message);
  const finish = readFinish(choice['finish_reason']);
  return {
    id: optionalText(answer['id'], 'id'),
    model: optionalText(answer['model'], 'model'),
    parts,
    finish: finish === 'stop' && parts.some(({ kind }) => kind === 'call') ? 'calls' : finish,
    usage: readUsage(answer['usage']),
  };
}

function readParts(message: Json): AnswerPart[] {
  const thought = thoughtOf(message);
  const said = optionalText(message['content'] ?? message['refusal'], 'message.content') ?? '';
  const calls = optionalList(message['tool_calls'], 'message.tool_calls').map((value, index): AnswerPart => {
    const call = object(value, 'tool_calls[]');
    const made = object(call['function'], 'tool_calls[].function');
    return {
      kind: 'call',
      id: optionalText(call['id'], 'tool_calls[].id') ?? `call_${index}`,
      name: text(made['name'], 'tool_calls[].function.name'),
      arguments: argumentsText(made['arguments']),
    };
  });
  return [
    ...(thought === '' ? [] : [{ kind: 'thinking', text: thought } as const]),
    ...(said === '' ? [] : [{ kind: 'text', text: said } as const]),
    ...calls,
  ];
}

/** Some servers send the object itself. */
export function argumentsText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** DeepSeek, vLLM and Qwen have the one name, OpenRouter and Ollama the other. */
export function thoughtOf(message: Json): string {
  const thought = message['reasoning_content'] ?? message['reasoning'];
  return typeof thought === 'string' ? thought : '';
}

const FINISHES: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'calls',
  function_call: 'calls',
  content_filter: 'filter',
};

export function readFinish(reason: unknown): FinishReason {
  if (typeof reason !== 'string') throw new Unreadable('finish_reason', 'a string');
  return FINISHES[reason] ?? 'stop';
}

const REASONS: Readonly<Record<FinishReason, string>> = {
  stop: 'stop',
  length: 'length',
  context: 'length',
  calls: 'tool_calls',
  filter: 'content_filter',
  stop_sequence: 'stop',
  pause: 'stop',
};

export function writeFinish(finish: FinishReason): string {
  return REASONS[finish];
}

export function readUsage(usage: unknown): NeutralUsage {
  const counts = isObject(usage) ? usage : {};
  const inDetails = isObject(counts['prompt_tokens_details']) ? counts['prompt_tokens_details'] : {};
  const outDetails = isObject(counts['completion_tokens_details']) ? counts['completion_tokens_details'] : {};
  return {
    input: count(counts['prompt_tokens']),
    output: count(counts['completion_tokens']),
    cached: count(inDetails['cached_tokens']),
    cacheWritten: count(inDetails['cache_write_tokens']),
    reasoning: count(outDetails['reasoning_tokens']),
  };
}

export function writeUsage({ input, output, cached, reasoning }: NeutralUsage): Json {
  return {
    prompt_tokens: input ?? 0,
    completion_tokens: output ?? 0,
    total_tokens: (input ?? 0) + (output ?? 0),
    ...(cached !== null && { prompt_tokens_details: { cached_tokens: cached } }),
    ...(reasoning !== null && { completion_tokens_details: { reasoning_tokens: reasoning } }),
  };
}

export function writeAnswer({ id, parts, finish, usage }: NeutralAnswer, { model }: Asked): Json {
  const said = textOf(parts, 'text');
  const thought = textOf(parts, 'thinking');
  const calls = parts.filter((part) => part.kind === 'call');
  const details = parts.flatMap((part, index) =>
    part.kind === 'thinking' && part.signature !== undefined
      ? [{ type: 'reasoning.text', index, text: part.text, signature: marked(part.signature, 'chat') }]
      : [],
  );
  const message = given({
    role: 'assistant',
    content: said === '' && calls.length > 0 ? null : said,
    refusal: null,
    reasoning_content: thought === '' ? undefined : thought,
    reasoning_details: details.length === 0 ? undefined : details,
    tool_calls:
      calls.length === 0
        ? undefined
        : calls.map((call) => ({
            id: call.id,
            type: 'function',
            function: { name: call.name, arguments: call.arguments === '' ? '{}' : call.arguments },
          })),
  });
  return {
    id: id ?? 'chatcmpl',
    object: 'chat.completion',
    created: Math.floor(Date.now() / 1_000),
    model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: writeFinish(finish) }],
    ...(usage.input !== null || usage.output !== null ? { usage: writeUsage(usage) } : {}),
  };
}
