/** A Responses request of a client, to the neutral form. */
import { readSchema } from '../chat/request-in.js';
import {
  NO_PARAMETERS,
  type NeutralRequest,
  type OutputFormat,
  type Thinking,
  type Tool,
  type ToolChoice,
} from '../neutral.js';
import {
  given,
  isObject,
  object,
  optionalBoolean,
  optionalList,
  optionalNumbers,
  optionalObject,
  optionalObjects,
  optionalText,
  text,
  Unreadable,
  without,
} from '../reading.js';
import { readEffort } from '../thinking.js';
import type { Json } from '../dialect.js';
import { readInput } from './input-in.js';

const READ: ReadonlySet<string> = new Set([
  'model',
  'input',
  'instructions',
  'stream',
  'stream_options',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'text',
  'max_output_tokens',
  'temperature',
  'top_p',
  'top_k',
  'reasoning',
  'user',
  'store',
  'include',
  'background',
]);

/** Members that refer to state kept by the vendor, or ask it to keep some. */
const STATE = ['previous_response_id', 'conversation', 'background', 'prompt'];

/** The member of a request that needs state kept by the vendor; undefined if there is none. */
export function stateMember(body: Json): string | undefined {
  const { input } = body;
  const reference = Array.isArray(input) ? input.findIndex(isReference) : -1;
  if (reference !== -1) return `input[${reference}]`;
  return STATE.find((name) => body[name] !== undefined && body[name] !== null && body[name] !== false);
}

function isReference(item: unknown): boolean {
  return isObject(item) && item['type'] === 'item_reference';
}

export function readRequest(body: Json): NeutralRequest {
  const { system, turns } = readInput(body['input']);
  const instructions = optionalText(body['instructions'], 'instructions');
  const { tools, omitted } = readTools(body['tools']);
  const toolChoice = readChoice(body['tool_choice']);
  const format = optionalObject(body['text'], 'text');
  const { format: _, ...textOwn } = format ?? {};
  return {
    system: instructions === undefined ? system : [{ kind: 'text', text: instructions }, ...system],
    turns,
    tools,
    ...(toolChoice !== undefined && { toolChoice }),
    settings: given({
      ...optionalNumbers(body, {
        maxTokens: 'max_output_tokens',
        temperature: 'temperature',
        topP: 'top_p',
        topK: 'top_k',
      }),
      parallelTools: optionalBoolean(body['parallel_tool_calls'], 'parallel_tool_calls'),
      output: readFormat(optionalObject(format?.['format'], 'text.format')),
      thinking: readThinking(optionalObject(body['reasoning'], 'reasoning')),
      user: optionalText(body['user'], 'user'),
    }),
    own: { ...without(body, READ), ...(Object.keys(textOwn).length > 0 && { text: textOwn }) },
    omitted,
  };
}

/** Codex sends tools of its vendor unasked: those are left out, and said. */
function readTools(value: unknown): { tools: Tool[]; omitted: string[] } {
  const tools: Tool[] = [];
  const omitted: string[] = [];
  for (const [tool, at] of optionalObjects(value, 'tools')) {
    const type = text(tool['type'], `${at}.type`);
    if (type === 'function' || type === 'custom') tools.push(readTool(tool, at));
    else omitted.push(`tools.${type.slice(0, 40).replaceAll(/[^\w.-]/g, '_')}`);
  }
  return { tools, omitted };
}

const ONE_TEXT = {
  type: 'object',
  properties: { input: { type: 'string' } },
  required: ['input'],
  additionalProperties: false,
};

function readTool(tool: Json, at: string): Tool {
  const name = text(tool['name'], `${at}.name`);
  const description = optionalText(tool['description'], `${at}.description`);
  if (tool['type'] === 'custom') {
    const format = optionalObject(tool['format'], `${at}.format`);
    const grammar = optionalText(format?.['definition'], `${at}.format.definition`);
    const told = [description, grammar && `The input follows this grammar:\n${grammar}`].filter(Boolean);
    return { name, description: told.join('\n\n'), parameters: ONE_TEXT, isText: true };
  }
  return given({
    name,
    description,
    parameters: optionalObject(tool['parameters'], `${at}.parameters`) ?? NO_PARAMETERS,
    strict: optionalBoolean(tool['strict'], `${at}.strict`),
  });
}

function readChoice(choice: unknown): ToolChoice | undefined {
  if (choice === undefined || choice === null) return undefined;
  if (choice === 'auto' || choice === 'none' || choice === 'required') return choice;
  const named = object(choice, 'tool_choice');
  if (named['type'] !== 'function' && named['type'] !== 'custom')
    throw new Unreadable('tool_choice.type', '"function" or "custom": other tools are their vendor\'s own');
  return { name: text(named['name'], 'tool_choice.name') };
}

function readFormat(format: Json | undefined): OutputFormat | undefined {
  switch (format?.['type']) {
    case undefined:
    case 'text':
      return undefined;
    case 'json_object':
      return { kind: 'json' };
    case 'json_schema':
      return readSchema(format ?? {}, 'text.format');
    default:
      throw new Unreadable('text.format.type', 'one of text, json_object, json_schema');
  }
}

function readThinking(reasoning: Json | undefined): Thinking | undefined {
  const effort = optionalText(reasoning?.['effort'], 'reasoning.effort');
  const summary = optionalText(reasoning?.['summary'], 'reasoning.summary');
  if (effort === undefined && summary === undefined) return undefined;
  return given({
    effort: effort === undefined ? undefined : readEffort(effort, 'reasoning.effort'),
    show: summary === undefined ? undefined : true,
  });
}

/** Whether the client wants what is signed of the thinking. */
export function wantsEncrypted(body: Json): boolean {
  return optionalList(body['include'], 'include').includes('reasoning.encrypted_content');
}

/** The call's one text, where a tool takes that. */
export function inputOf(json: string): string {
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) && typeof value['input'] === 'string' ? value['input'] : json;
  } catch {
    return json;
  }
}
