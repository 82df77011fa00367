/** A neutral request as Responses takes it: without anything that the vendor keeps. */
import type {
  AnswerPart,
  DocumentPart,
  ImagePart,
  NeutralRequest,
  OutputFormat,
  Settings,
  TextPart,
  Thinking,
  Tool,
  ToolChoice,
  Turn,
  UserPart,
} from '../neutral.js';
import { given, isObject, Unsayable } from '../reading.js';
import type { Json, Writing } from '../dialect.js';
import { effortFor } from '../thinking.js';

export function writeRequest(request: NeutralRequest, { model, stream }: Writing): Json {
  const { system, turns, tools, toolChoice, settings, own } = request;
  refuseForeign(settings);
  const { thinking, output } = settings;
  const { text: textOwn, ...more } = own;
  const format = {
    ...(isObject(textOwn) && textOwn),
    ...(output !== undefined && { format: writeFormat(output) }),
  };
  return given({
    ...more,
    model,
    stream: stream ? true : undefined,
    store: false,
    include: ['reasoning.encrypted_content'],
    instructions: system.length === 0 ? undefined : system.map(({ text }) => text).join('\n\n'),
    input: turns.flatMap(writeTurn),
    tools: tools.length === 0 ? undefined : tools.map(writeTool),
    tool_choice: toolChoice === undefined || tools.length === 0 ? undefined : writeChoice(toolChoice),
    parallel_tool_calls: tools.length === 0 ? undefined : settings.parallelTools,
    text: Object.keys(format).length === 0 ? undefined : format,
    max_output_tokens: settings.maxTokens,
    temperature: settings.temperature,
    top_p: settings.topP,
    reasoning: thinking && writeThinking(thinking, model),
    user: settings.user,
  });
}

function writeThinking(thinking: Thinking, model: string): Json | undefined {
  const effort = effortFor(thinking, model);
  if (effort === undefined && thinking.show !== true) return undefined;
  return given({ effort, summary: thinking.show === true ? 'auto' : undefined });
}

function refuseForeign(settings: Settings): void {
  for (const name of ['topK', 'stop', 'seed', 'frequencyPenalty', 'presencePenalty'] as const)
    if (settings[name] !== undefined) throw new Unsayable(name);
}

function writeTurn(turn: Turn): object[] {
  return turn.role === 'user' ? writeUser(turn.parts) : turn.parts.flatMap(writeAnswerPart);
}

function writeUser(parts: readonly UserPart[]): object[] {
  const results = parts.flatMap((part) =>
    part.kind === 'result'
      ? [{ type: 'function_call_output', call_id: part.id, output: writeOutput(part.content) }]
      : [],
  );
  const content = parts.flatMap((part) => (part.kind === 'result' ? [] : [writeContent(part)]));
  return content.length === 0 ? results : [...results, { type: 'message', role: 'user', content }];
}

function writeOutput(content: readonly (TextPart | ImagePart | DocumentPart)[]): unknown {
  const texts = content.flatMap((part) => (part.kind === 'text' ? [part.text] : []));
  return texts.length === content.length ? texts.join('') : content.map(writeContent);
}

function writeContent(part: TextPart | ImagePart | DocumentPart): object {
  if (part.kind === 'text') return { type: 'input_text', text: part.text };
  const { source } = part;
  if (part.kind === 'image') {
    const image =
      source.kind === 'file'
        ? { file_id: source.id }
        : {
            image_url: source.kind === 'url' ? source.url : `data:${source.mediaType};base64,${source.data}`,
          };
    return { type: 'input_image', detail: part.detail ?? 'auto', ...image };
  }
  if (source.kind === 'file') return { type: 'input_file', file_id: source.id };
  if (source.kind === 'url') return { type: 'input_file', file_url: source.url };
  const { mediaType, data } = source;
  if (/^(?:audio|video)\//.test(mediaType)) throw new Unsayable('audio');
  return {
    type: 'input_file',
    filename: part.name ?? 'document',
    file_data: `data:${mediaType};base64,${data}`,
  };
}

function writeAnswerPart(part: AnswerPart): object[] {
  switch (part.kind) {
    case 'text':
      return [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: part.text }] }];
    case 'call':
      return [
        { type: 'function_call', call_id: part.id, name: part.name, arguments: part.arguments || '{}' },
      ];
    case 'thinking':
      return part.signature?.origin === 'responses' ? [writeReasoning(part.text, part.signature.value)] : [];
  }
}

function writeReasoning(said: string, value: string): object {
  const colon = value.indexOf(':');
  return {
    type: 'reasoning',
    id: value.slice(0, colon),
    summary: said === '' ? [] : [{ type: 'summary_text', text: said }],
    encrypted_content: value.slice(colon + 1),
  };
}

/** Here a function is strict unless it says otherwise; everywhere else it is not. */
function writeTool({ name, description, parameters, strict }: Tool): object {
  return given({ type: 'function', name, description, parameters, strict: strict ?? false });
}

function writeChoice(choice: ToolChoice): unknown {
  return typeof choice === 'string' ? choice : { type: 'function', name: choice.name };
}

function writeFormat(output: OutputFormat): object {
  if (output.kind === 'json') return { type: 'json_object' };
  const { name, schema, strict } = output;
  return given({ type: 'json_schema', name, schema, strict });
}
