/** A chat completions request of a client, to the neutral form. */
import {
  NO_PARAMETERS,
  type AnswerPart,
  type ResultPart,
  type TextPart,
  type Tool,
  type ToolChoice,
  type Turn,
  type NeutralRequest,
  type OutputFormat,
} from '../neutral.js';
import {
  given,
  object,
  objects,
  optionalBoolean,
  optionalNumber,
  optionalNumbers,
  optionalObject,
  optionalObjects,
  optionalText,
  optionalTexts,
  text,
  Unreadable,
  without,
} from '../reading.js';
import { unmarked } from '../signatures.js';
import { readEffort } from '../thinking.js';
import { Turns } from '../turns.js';
import type { Json } from '../dialect.js';
import { contentParts, readCache } from './content-in.js';

const READ: ReadonlySet<string> = new Set([
  'model',
  'messages',
  'stream',
  'stream_options',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'response_format',
  'max_tokens',
  'max_completion_tokens',
  'temperature',
  'top_p',
  'top_k',
  'stop',
  'seed',
  'frequency_penalty',
  'presence_penalty',
  'reasoning_effort',
  'user',
]);

export function readRequest(body: Json): NeutralRequest {
  const { system, turns } = readMessages(body['messages']);
  const choice = readChoice(body['tool_choice']);
  const effort = optionalText(body['reasoning_effort'], 'reasoning_effort');
  const own = without(body, READ);
  // One answer is what there is without it.
  const { n, ...more } = own;
  return {
    system,
    turns,
    tools: optionalObjects(body['tools'], 'tools').map(readTool),
    ...(choice !== undefined && { toolChoice: choice }),
    settings: given({
      maxTokens:
        optionalNumber(body['max_completion_tokens'], 'max_completion_tokens') ??
        optionalNumber(body['max_tokens'], 'max_tokens'),
      ...optionalNumbers(body, { temperature: 'temperature', topP: 'top_p', topK: 'top_k', seed: 'seed' }),
      stop: typeof body['stop'] === 'string' ? [body['stop']] : optionalTexts(body['stop'], 'stop'),
      // Zero is what there is without them.
      frequencyPenalty: optionalNumber(body['frequency_penalty'], 'frequency_penalty') || undefined,
      presencePenalty: optionalNumber(body['presence_penalty'], 'presence_penalty') || undefined,
      parallelTools: optionalBoolean(body['parallel_tool_calls'], 'parallel_tool_calls'),
      output: readFormat(optionalObject(body['response_format'], 'response_format')),
      thinking: effort === undefined ? undefined : { effort: readEffort(effort, 'reasoning_effort') },
      user: optionalText(body['user'], 'user'),
    }),
    own: n === undefined || n === 1 ? more : own,
    omitted: [],
  };
}

function readMessages(messages: unknown): { system: TextPart[]; turns: readonly Turn[] } {
  const system: TextPart[] = [];
  const turns = new Turns();
  for (const [message, at] of objects(messages, 'messages')) {
    switch (message['role']) {
      case 'system':
      case 'developer':
        system.push(
          ...contentParts(message['content'], `${at}.content`).filter((part) => part.kind === 'text'),
        );
        break;
      case 'user':
        turns.user(...contentParts(message['content'], `${at}.content`));
        break;
      case 'tool':
        turns.user(readResult(message, at));
        break;
      case 'assistant':
        turns.assistant(...readAssistant(message, at));
        break;
      default:
        throw new Unreadable(`${at}.role`, 'one of system, developer, user, assistant, tool');
    }
  }
  return { system, turns: turns.all };
}

function readResult(message: Json, at: string): ResultPart {
  return {
    kind: 'result',
    id: text(message['tool_call_id'], `${at}.tool_call_id`),
    content: contentParts(message['content'], `${at}.content`),
    // Not OpenAI's: what other plugins see of a call has it.
    isError: message['is_error'] === true,
  };
}

function readAssistant(message: Json, at: string): AnswerPart[] {
  const parts: AnswerPart[] = readThinking(message, at);
  for (const part of contentParts(message['content'] ?? [], `${at}.content`)) {
    if (part.kind !== 'text') throw new Unreadable(`${at}.content`, 'text');
    if (part.text !== '') parts.push(part);
  }
  for (const [call, place] of optionalObjects(message['tool_calls'], `${at}.tool_calls`)) {
    const made = object(call['function'], `${place}.function`);
    parts.push({
      kind: 'call',
      id: text(call['id'], `${place}.id`),
      name: text(made['name'], `${place}.function.name`),
      arguments: optionalText(made['arguments'], `${place}.function.arguments`) ?? '',
    });
  }
  return parts;
}

/** As OpenRouter has it, which we give to clients, too. */
function readThinking(message: Json, at: string): AnswerPart[] {
  const details = optionalObjects(message['reasoning_details'], `${at}.reasoning_details`);
  if (details.length === 0) {
    const thought = optionalText(message['reasoning_content'], `${at}.reasoning_content`);
    return thought === undefined || thought === '' ? [] : [{ kind: 'thinking', text: thought }];
  }
  return details.map(([detail, place]) => {
    const signature = optionalText(detail['signature'] ?? detail['data'], `${place}.signature`);
    return {
      kind: 'thinking',
      text: optionalText(detail['text'] ?? detail['summary'], `${place}.text`) ?? '',
      ...(signature !== undefined && { signature: unmarked(signature, 'chat') }),
    };
  });
}

function readTool([tool, at]: readonly [Json, string]): Tool {
  if (tool['type'] !== 'function')
    throw new Unreadable(`${at}.type`, '"function": other tools are their vendor\'s own');
  const made = object(tool['function'], `${at}.function`);
  return given({
    name: text(made['name'], `${at}.function.name`),
    description: optionalText(made['description'], `${at}.function.description`),
    parameters: optionalObject(made['parameters'], `${at}.function.parameters`) ?? NO_PARAMETERS,
    strict: optionalBoolean(made['strict'], `${at}.function.strict`),
    cache: readCache(tool['cache_control'] ?? made['cache_control']),
  });
}

function readChoice(choice: unknown): ToolChoice | undefined {
  if (choice === undefined || choice === null) return undefined;
  if (choice === 'auto' || choice === 'none' || choice === 'required') return choice;
  const named = optionalObject(object(choice, 'tool_choice')['function'], 'tool_choice.function');
  return { name: text(named?.['name'], 'tool_choice.function.name') };
}

function readFormat(format: Json | undefined): OutputFormat | undefined {
  switch (format?.['type']) {
    case undefined:
    case 'text':
      return undefined;
    case 'json_object':
      return { kind: 'json' };
    case 'json_schema': {
      const at = 'response_format.json_schema';
      return readSchema(object(format?.['json_schema'], at), at);
    }
    default:
      throw new Unreadable('response_format.type', 'one of text, json_object, json_schema');
  }
}

/** OpenAI's form of it, in both of its APIs. */
export function readSchema(made: Json, at: string): OutputFormat {
  return given({
    kind: 'schema' as const,
    name: text(made['name'], `${at}.name`),
    schema: object(made['schema'], `${at}.schema`),
    strict: optionalBoolean(made['strict'], `${at}.strict`),
  });
}
