/** Whole responses, read and written. */
import { AttemptFailure } from '../../call/failure.js';
import { argumentsText } from '../chat/answer.js';
import type { AnswerPart, FinishReason, NeutralAnswer, NeutralUsage } from '../neutral.js';
import { count, isObject, list, object, optionalList, optionalText, text } from '../reading.js';
import type { Asked, Json } from '../dialect.js';
import { readReasoning } from './input-in.js';
import { callItem, itemOf, messageItem, reasoningItem } from './items.js';

export function readAnswer(answer: Json): NeutralAnswer {
  if (answer['status'] === 'failed') throw new AttemptFailure('failed', 'response_failed');
  const parts = list(answer['output'], 'output').flatMap((value, index) =>
    readItem(object(value, `output[${index}]`), `output[${index}]`),
  );
  return {
    id: optionalText(answer['id'], 'id'),
    model: optionalText(answer['model'], 'model'),
    parts,
    finish: readStatus(
      answer,
      parts.some(({ kind }) => kind === 'call'),
    ),
    usage: readUsage(answer['usage']),
  };
}

function readItem(item: Json, at: string): AnswerPart[] {
  switch (item['type']) {
    case 'message':
      return optionalList(item['content'], `${at}.content`).flatMap((value): AnswerPart[] => {
        const part = object(value, `${at}.content[]`);
        const said = optionalText(part['text'] ?? part['refusal'], `${at}.content[].text`) ?? '';
        return said === '' ? [] : [{ kind: 'text', text: said }];
      });
    case 'function_call':
      return [
        {
          kind: 'call',
          id: text(item['call_id'], `${at}.call_id`),
          name: text(item['name'], `${at}.name`),
          arguments: argumentsText(item['arguments']),
        },
      ];
    case 'reasoning': {
      const part = readReasoning(item, at);
      const isEmpty = part.kind === 'thinking' && part.text === '' && part.signature === undefined;
      return isEmpty ? [] : [part];
    }
    default:
      return [];
  }
}

export function readStatus(answer: Json, hasCalls: boolean): FinishReason {
  const details = isObject(answer['incomplete_details']) ? answer['incomplete_details'] : {};
  if (answer['status'] === 'incomplete') return details['reason'] === 'content_filter' ? 'filter' : 'length';
  return hasCalls ? 'calls' : 'stop';
}

export function readUsage(usage: unknown): NeutralUsage {
  const counts = isObject(usage) ? usage : {};
  const inDetails = isObject(counts['input_tokens_details']) ? counts['input_tokens_details'] : {};
  const outDetails = isObject(counts['output_tokens_details']) ? counts['output_tokens_details'] : {};
  return {
    input: count(counts['input_tokens']),
    output: count(counts['output_tokens']),
    cached: count(inDetails['cached_tokens']),
    cacheWritten: count(inDetails['cache_write_tokens']),
    reasoning: count(outDetails['reasoning_tokens']),
  };
}

function writeUsage({ input, output, cached, reasoning }: NeutralUsage): Json {
  return {
    input_tokens: input ?? 0,
    input_tokens_details: { cached_tokens: cached ?? 0 },
    output_tokens: output ?? 0,
    output_tokens_details: { reasoning_tokens: reasoning ?? 0 },
    total_tokens: (input ?? 0) + (output ?? 0),
  };
}

export function writeAnswer(answer: NeutralAnswer, asked: Asked): Json {
  const id = answer.id ?? 'response';
  const output = answer.parts.map((part, index) => {
    const item = itemOf(id, index, part.kind);
    if (part.kind === 'text') return messageItem(item, part.text, 'completed');
    if (part.kind === 'thinking') return reasoningItem(item, part.text, part.signature, asked);
    return callItem(item, part, part.arguments, 'completed', asked);
  });
  return responseOf(id, asked, { output, finish: answer.finish, usage: answer.usage });
}

/** The response object, which also begins and ends a stream. Without `finish` it is under way. */
export function responseOf(
  id: string,
  { model, body }: Asked,
  state: {
    readonly output: readonly Json[];
    readonly finish?: FinishReason;
    readonly usage?: NeutralUsage;
    readonly error?: Json;
  },
): Json {
  const { output, finish, usage, error } = state;
  const isCut = finish === 'length' || finish === 'context';
  const reason = isCut ? 'max_output_tokens' : finish === 'filter' ? 'content_filter' : undefined;
  const done = reason === undefined ? 'completed' : 'incomplete';
  return {
    id: id.startsWith('resp') ? id : `resp_${id}`,
    object: 'response',
    created_at: Math.floor(Date.now() / 1_000),
    status: error !== undefined ? 'failed' : finish === undefined ? 'in_progress' : done,
    error: error ?? null,
    incomplete_details: reason === undefined ? null : { reason },
    instructions: body['instructions'] ?? null,
    max_output_tokens: body['max_output_tokens'] ?? null,
    metadata: body['metadata'] ?? {},
    model,
    output,
    parallel_tool_calls: body['parallel_tool_calls'] ?? true,
    previous_response_id: null,
    reasoning: body['reasoning'] ?? null,
    store: false,
    temperature: body['temperature'] ?? null,
    text: body['text'] ?? { format: { type: 'text' } },
    tool_choice: body['tool_choice'] ?? 'auto',
    tools: body['tools'] ?? [],
    top_p: body['top_p'] ?? null,
    truncation: 'disabled',
    usage: usage === undefined ? null : writeUsage(usage),
  };
}
