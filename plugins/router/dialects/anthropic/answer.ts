/** Whole messages, read and written. */
import type { AnswerPart, FinishReason, NeutralAnswer, NeutralUsage } from '../neutral.js';
import { argumentsObject, count, isObject, list, object, optionalText, sum } from '../reading.js';
import { marked } from '../signatures.js';
import type { Asked, Json } from '../dialect.js';
import { readAnswerPart, REDACTED } from './content-in.js';

export function readAnswer(answer: Json): NeutralAnswer {
  const stopSequence = optionalText(answer['stop_sequence'], 'stop_sequence');
  return {
    id: optionalText(answer['id'], 'id'),
    model: optionalText(answer['model'], 'model'),
    parts: list(answer['content'], 'content').flatMap((value, index): AnswerPart[] =>
      readAnswerPart(object(value, `content[${index}]`), `content[${index}]`),
    ),
    finish: readStop(answer['stop_reason']),
    ...(stopSequence !== undefined && { stopSequence }),
    usage: readUsage(answer['usage']),
  };
}

const STOPS: Readonly<Record<string, FinishReason>> = {
  end_turn: 'stop',
  max_tokens: 'length',
  stop_sequence: 'stop_sequence',
  tool_use: 'calls',
  pause_turn: 'pause',
  refusal: 'filter',
  model_context_window_exceeded: 'context',
};

export function readStop(reason: unknown): FinishReason {
  return (typeof reason === 'string' ? STOPS[reason] : undefined) ?? 'stop';
}

const REASONS: Readonly<Record<FinishReason, string>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  context: 'model_context_window_exceeded',
  calls: 'tool_use',
  filter: 'refusal',
  stop_sequence: 'stop_sequence',
  pause: 'pause_turn',
};

export function writeStop(finish: FinishReason): string {
  return REASONS[finish];
}

/** Their input is without what came from the cache and what went into it. */
export function readUsage(usage: unknown): NeutralUsage {
  const counts = isObject(usage) ? usage : {};
  const cached = count(counts['cache_read_input_tokens']);
  const cacheWritten = count(counts['cache_creation_input_tokens']);
  const input = count(counts['input_tokens']);
  return {
    input: input === null ? null : sum(input, cached, cacheWritten),
    output: count(counts['output_tokens']),
    cached,
    cacheWritten,
    reasoning: null,
  };
}

/** Unknown counts are 0: the SDK adds them up. */
export function writeUsage({ input, output, cached, cacheWritten }: NeutralUsage): Json {
  return {
    input_tokens: Math.max(0, (input ?? 0) - (cached ?? 0) - (cacheWritten ?? 0)),
    cache_creation_input_tokens: cacheWritten ?? 0,
    cache_read_input_tokens: cached ?? 0,
    output_tokens: output ?? 0,
  };
}

export function writeAnswer(answer: NeutralAnswer, { model }: Asked): Json {
  return {
    id: answer.id ?? 'msg',
    type: 'message',
    role: 'assistant',
    model,
    content: answer.parts.map(writePart),
    stop_reason: writeStop(answer.finish),
    stop_sequence: answer.stopSequence ?? null,
    usage: writeUsage(answer.usage),
  };
}

function writePart(part: AnswerPart): Json {
  if (part.kind === 'text') return { type: 'text', text: part.text };
  if (part.kind === 'call')
    return { type: 'tool_use', id: part.id, name: part.name, input: argumentsObject(part.arguments) };
  const { signature } = part;
  if (signature?.origin === 'anthropic' && signature.value.startsWith(REDACTED))
    return { type: 'redacted_thinking', data: signature.value.slice(REDACTED.length) };
  return {
    type: 'thinking',
    thinking: part.text,
    signature: signature === undefined ? '' : marked(signature, 'anthropic'),
  };
}
