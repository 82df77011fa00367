/** A generateContent request of a client, to the neutral form. */
import { CallIds } from '../call-ids.js';
import {
  NO_PARAMETERS,
  type AnswerPart,
  type NeutralRequest,
  type OutputFormat,
  type TextPart,
  type Thinking,
  type Tool,
  type ToolChoice,
  type Turn,
} from '../neutral.js';
import {
  given,
  object,
  objects,
  optionalBoolean,
  optionalList,
  optionalNumber,
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
import { readAnswerPart, readUserPart } from './content-in.js';
import { bothCases, field } from './fields.js';
import { jsonSchemaOf } from './schemas.js';

const READ = bothCases(['model', 'contents', 'systemInstruction', 'tools', 'toolConfig', 'generationConfig']);
const SETTINGS = bothCases([
  'maxOutputTokens',
  'temperature',
  'topP',
  'topK',
  'stopSequences',
  'seed',
  'frequencyPenalty',
  'presencePenalty',
  'responseMimeType',
  'responseSchema',
  'responseJsonSchema',
  'thinkingConfig',
  'candidateCount',
]);

export function readRequest(body: Json): NeutralRequest {
  const config = optionalObject(field(body, 'generationConfig'), 'generationConfig') ?? {};
  const { tools, theirs } = readTools(body['tools']);
  const toolChoice = readChoice(optionalObject(field(body, 'toolConfig'), 'toolConfig'));
  const more = without(config, SETTINGS);
  const candidates = optionalNumber(field(config, 'candidateCount'), 'generationConfig.candidateCount');
  const number = (name: string): number | undefined =>
    optionalNumber(field(config, name), `generationConfig.${name}`);
  return {
    system: readSystem(field(body, 'systemInstruction')),
    turns: readContents(body['contents']),
    tools,
    ...(toolChoice !== undefined && { toolChoice }),
    settings: given({
      maxTokens: number('maxOutputTokens'),
      temperature: number('temperature'),
      topP: number('topP'),
      topK: number('topK'),
      stop: optionalTexts(field(config, 'stopSequences'), 'generationConfig.stopSequences'),
      seed: number('seed'),
      frequencyPenalty: number('frequencyPenalty') || undefined,
      presencePenalty: number('presencePenalty') || undefined,
      output: readFormat(config),
      thinking: readThinking(
        optionalObject(field(config, 'thinkingConfig'), 'generationConfig.thinkingConfig'),
      ),
    }),
    own: {
      ...without(body, READ),
      ...(theirs.length > 0 && { tools: theirs }),
      ...(Object.keys(more).length > 0 && { generationConfig: more }),
      ...(candidates !== undefined && candidates !== 1 && { candidateCount: candidates }),
    },
    omitted: [],
  };
}

function readSystem(value: unknown): TextPart[] {
  if (value === undefined || value === null) return [];
  if (typeof value === 'string') return [{ kind: 'text', text: value }];
  const content = object(value, 'systemInstruction');
  const parts = content['parts'] === undefined ? [content] : content['parts'];
  return objects(parts, 'systemInstruction.parts').map(([part, at]) => ({
    kind: 'text',
    text: text(part['text'], `${at}.text`),
  }));
}

function readContents(value: unknown): Turn[] {
  const calls = new CallIds();
  return objects(value, 'contents').map(([content, at]): Turn => {
    const parts = optionalObjects(content['parts'], `${at}.parts`);
    switch (content['role'] ?? 'user') {
      case 'model':
        return {
          role: 'assistant',
          parts: parts.flatMap(([part, place]): AnswerPart[] => readAnswerPart(part, place, calls)),
        };
      case 'user':
      case 'function':
        return { role: 'user', parts: parts.map(([part, place]) => readUserPart(part, place, calls)) };
      default:
        throw new Unreadable(`${at}.role`, '"user" or "model"');
    }
  });
}

/** Entries that declare no functions are the vendor's own tools. */
function readTools(entries: unknown): { tools: Tool[]; theirs: Json[] } {
  const tools: Tool[] = [];
  const theirs: Json[] = [];
  for (const [entry, at] of optionalObjects(entries, 'tools')) {
    const declared = field(entry, 'functionDeclarations');
    for (const [tool, place] of optionalObjects(declared, `${at}.functionDeclarations`))
      tools.push(readTool(tool, place));
    const { functionDeclarations: _, function_declarations: __, ...own } = entry;
    if (Object.keys(own).length > 0) theirs.push(own);
  }
  return { tools, theirs };
}

function readTool(made: Json, at: string): Tool {
  const schema = optionalObject(field(made, 'parametersJsonSchema'), `${at}.parametersJsonSchema`);
  const parameters = optionalObject(made['parameters'], `${at}.parameters`);
  return given({
    name: text(made['name'], `${at}.name`),
    description: optionalText(made['description'], `${at}.description`),
    parameters:
      schema ?? (parameters === undefined ? NO_PARAMETERS : jsonSchemaOf(parameters, `${at}.parameters`)),
  });
}

function readChoice(config: Json | undefined): ToolChoice | undefined {
  const at = 'toolConfig.functionCallingConfig';
  const calling = config && optionalObject(field(config, 'functionCallingConfig'), at);
  if (calling === undefined) return undefined;
  const names = optionalList(field(calling, 'allowedFunctionNames'), `${at}.allowedFunctionNames`);
  switch (calling['mode']) {
    case undefined:
    case 'AUTO':
      return 'auto';
    case 'NONE':
      return 'none';
    case 'ANY':
    case 'VALIDATED':
      if (names.length > 1) throw new Unreadable(`${at}.allowedFunctionNames`, 'one name');
      return names.length === 0 ? 'required' : { name: text(names[0], `${at}.allowedFunctionNames[0]`) };
    default:
      throw new Unreadable(`${at}.mode`, 'one of AUTO, ANY, NONE');
  }
}

function readFormat(config: Json): OutputFormat | undefined {
  const type = optionalText(field(config, 'responseMimeType'), 'generationConfig.responseMimeType');
  const json = optionalObject(field(config, 'responseJsonSchema'), 'generationConfig.responseJsonSchema');
  const openApi = optionalObject(field(config, 'responseSchema'), 'generationConfig.responseSchema');
  const schema = json ?? (openApi && jsonSchemaOf(openApi, 'generationConfig.responseSchema'));
  if (schema !== undefined) return { kind: 'schema', name: 'answer', schema };
  if (type === undefined || type === 'text/plain') return undefined;
  if (type === 'application/json') return { kind: 'json' };
  throw new Unreadable('generationConfig.responseMimeType', 'text/plain or application/json');
}

function readThinking(config: Json | undefined): Thinking | undefined {
  if (config === undefined) return undefined;
  const at = 'generationConfig.thinkingConfig';
  const level = optionalText(field(config, 'thinkingLevel'), `${at}.thinkingLevel`)?.toLowerCase();
  const budget = optionalNumber(field(config, 'thinkingBudget'), `${at}.thinkingBudget`);
  return given({
    effort:
      level === undefined || level.endsWith('unspecified')
        ? undefined
        : readEffort(level, `${at}.thinkingLevel`),
    // -1 leaves it to the model.
    budget: budget === undefined || budget < 0 ? undefined : budget,
    show: optionalBoolean(field(config, 'includeThoughts'), `${at}.includeThoughts`),
  });
}
