/** A messages request of a client, to the neutral form. */
import type {
  AnswerPart,
  NeutralRequest,
  OutputFormat,
  TextPart,
  Thinking,
  Tool,
  ToolChoice,
  Turn,
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
import { readEffort } from '../thinking.js';
import type { Json } from '../dialect.js';
import { cacheOf, readAnswerPart, readUserPart } from './content-in.js';

const READ: ReadonlySet<string> = new Set([
  'model',
  'messages',
  'system',
  'stream',
  'tools',
  'tool_choice',
  'max_tokens',
  'temperature',
  'top_p',
  'top_k',
  'stop_sequences',
  'thinking',
  'output_config',
  'metadata',
]);

export function readRequest(body: Json): NeutralRequest {
  const { system, turns } = readMessages(body['messages']);
  const tools = readTools(body['tools']);
  const choice = optionalObject(body['tool_choice'], 'tool_choice');
  const config = optionalObject(body['output_config'], 'output_config');
  const metadata = optionalObject(body['metadata'], 'metadata');
  const serial = optionalBoolean(
    choice?.['disable_parallel_tool_use'],
    'tool_choice.disable_parallel_tool_use',
  );
  const toolChoice = choice === undefined ? undefined : readChoice(choice);
  return {
    system: [...readSystem(body['system']), ...system],
    turns,
    tools: tools.known,
    ...(toolChoice !== undefined && { toolChoice }),
    settings: given({
      ...optionalNumbers(body, {
        maxTokens: 'max_tokens',
        temperature: 'temperature',
        topP: 'top_p',
        topK: 'top_k',
      }),
      stop: optionalTexts(body['stop_sequences'], 'stop_sequences'),
      parallelTools: serial === undefined ? undefined : !serial,
      output: readFormat(optionalObject(config?.['format'], 'output_config.format')),
      thinking: readThinking(optionalObject(body['thinking'], 'thinking'), config),
      user: optionalText(metadata?.['user_id'], 'metadata.user_id'),
    }),
    own: { ...without(body, READ), ...(tools.theirs.length > 0 && { tools: tools.theirs }) },
    omitted: [],
  };
}

/** Claude Code's own line of billing: it differs from call to call, which costs other vendors' prompt caches. */
const BILLING = 'x-anthropic-billing-header:';

function readSystem(system: unknown): TextPart[] {
  if (system === undefined || system === null) return [];
  if (typeof system === 'string') return [{ kind: 'text', text: system }];
  return objects(system, 'system').flatMap(([block, at]) => {
    const said = text(block['text'], `${at}.text`);
    if (said.startsWith(BILLING)) return [];
    return [given({ kind: 'text' as const, text: said, cache: cacheOf(block, at) })];
  });
}

function readMessages(messages: unknown): { system: TextPart[]; turns: Turn[] } {
  const system: TextPart[] = [];
  const turns: Turn[] = [];
  for (const [message, at] of objects(messages, 'messages')) {
    const blocks = blocksOf(message['content'], `${at}.content`);
    switch (message['role']) {
      case 'user':
        turns.push({ role: 'user', parts: blocks.map(([block, place]) => readUserPart(block, place)) });
        break;
      case 'assistant':
        turns.push({
          role: 'assistant',
          parts: blocks.flatMap(([block, place]): AnswerPart[] => readAnswerPart(block, place)),
        });
        break;
      case 'system':
        for (const [block, place] of blocks)
          system.push({ kind: 'text', text: text(block['text'], `${place}.text`) });
        break;
      default:
        throw new Unreadable(`${at}.role`, 'one of user, assistant, system');
    }
  }
  return { system, turns };
}

function blocksOf(content: unknown, at: string): (readonly [Json, string])[] {
  if (typeof content === 'string') return [[{ type: 'text', text: content }, at]];
  return objects(content, at);
}

/** Those that the vendor runs itself have a type. */
function readTools(tools: unknown): { known: Tool[]; theirs: Json[] } {
  const known: Tool[] = [];
  const theirs: Json[] = [];
  for (const [tool, at] of optionalObjects(tools, 'tools')) {
    const type = tool['type'] ?? 'custom';
    if (type !== 'custom') {
      theirs.push(tool);
      continue;
    }
    known.push(
      given({
        name: text(tool['name'], `${at}.name`),
        description: optionalText(tool['description'], `${at}.description`),
        parameters: object(tool['input_schema'], `${at}.input_schema`),
        strict: optionalBoolean(tool['strict'], `${at}.strict`),
        cache: cacheOf(tool, at),
      }),
    );
  }
  return { known, theirs };
}

function readChoice(choice: Json): ToolChoice {
  switch (choice['type']) {
    case 'auto':
    case 'none':
      return choice['type'];
    case 'any':
      return 'required';
    case 'tool':
      return { name: text(choice['name'], 'tool_choice.name') };
    default:
      throw new Unreadable('tool_choice.type', 'one of auto, any, tool, none');
  }
}

function readFormat(format: Json | undefined): OutputFormat | undefined {
  if (format === undefined) return undefined;
  if (format['type'] !== 'json_schema') throw new Unreadable('output_config.format.type', '"json_schema"');
  const schema = object(format['schema'], 'output_config.format.schema');
  return { kind: 'schema', name: 'answer', schema, strict: true };
}

function readThinking(thinking: Json | undefined, config: Json | undefined): Thinking | undefined {
  const said = optionalText(config?.['effort'], 'output_config.effort');
  const effort = said === undefined ? {} : { effort: readEffort(said, 'output_config.effort') };
  switch (thinking?.['type']) {
    case undefined:
      return said === undefined ? undefined : effort;
    case 'disabled':
      return { effort: 'none' };
    case 'adaptive':
      return { ...effort, show: true };
    case 'enabled': {
      const budget = optionalNumber(thinking?.['budget_tokens'], 'thinking.budget_tokens');
      return { ...given({ budget }), ...effort, show: true };
    }
    default:
      throw new Unreadable('thinking.type', 'one of adaptive, enabled, disabled');
  }
}
