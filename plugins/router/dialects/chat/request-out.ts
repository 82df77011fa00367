/** A neutral request as chat completions take it. */
import type {
  AnswerPart,
  DocumentPart,
  ImagePart,
  NeutralRequest,
  OutputFormat,
  TextPart,
  Tool,
  ToolChoice,
  Turn,
  UserPart,
} from '../neutral.js';
import { given, Unsayable } from '../reading.js';
import { marked } from '../signatures.js';
import type { Json, Writing } from '../dialect.js';
import { effortFor, effortOf } from '../thinking.js';

/** What upstreams of this dialect get. */
export function writeRequest(request: NeutralRequest, { model, stream }: Writing): Json {
  const { thinking } = request.settings;
  return {
    ...conversation(request, false),
    ...(thinking && given({ reasoning_effort: effortFor(thinking, model) })),
    model,
    ...(stream && { stream: true }),
    ...request.own,
  };
}

/**
 * What other plugins see of a call in another dialect. Signatures of all vendors stay in it, so that it can be read
 * back.
 */
export function shownRequest(request: NeutralRequest, model: string): Json {
  const { thinking } = request.settings;
  return {
    ...conversation(request, true),
    ...(thinking && given({ reasoning_effort: effortOf(thinking) })),
    model,
  };
}

function conversation(request: NeutralRequest, isShown: boolean): Json {
  const { system, turns, tools, toolChoice, settings } = request;
  const { output } = settings;
  const messages: object[] = turns.flatMap((turn) => writeTurn(turn, isShown));
  if (system.length > 0) messages.unshift({ role: 'system', content: textContent(system) });
  return given({
    messages,
    tools: tools.length === 0 ? undefined : tools.map(writeTool),
    tool_choice: toolChoice === undefined || tools.length === 0 ? undefined : writeChoice(toolChoice),
    parallel_tool_calls: tools.length === 0 ? undefined : settings.parallelTools,
    response_format: output === undefined ? undefined : writeFormat(output),
    // Reasoning models refuse `max_tokens`, and few servers do not know this one.
    max_completion_tokens: settings.maxTokens,
    temperature: settings.temperature,
    top_p: settings.topP,
    top_k: settings.topK,
    stop: settings.stop,
    seed: settings.seed,
    frequency_penalty: settings.frequencyPenalty,
    presence_penalty: settings.presencePenalty,
    user: settings.user,
  });
}

function writeTurn(turn: Turn, isShown: boolean): object[] {
  if (turn.role === 'assistant') return [writeAssistant(turn.parts, isShown)];
  const messages: object[] = [];
  /** Of the user, and what is no text in a result: a tool's message has text alone. */
  const rest: UserPart[] = [];
  for (const part of turn.parts) {
    if (part.kind !== 'result') {
      rest.push(part);
      continue;
    }
    const texts = part.content.filter((one) => one.kind === 'text');
    rest.push(...part.content.filter((one) => one.kind !== 'text'));
    const isError = isShown && part.isError ? { is_error: true } : {};
    messages.push({ role: 'tool', tool_call_id: part.id, content: textContent(texts), ...isError });
  }
  if (rest.length > 0) messages.push({ role: 'user', content: userContent(rest) });
  return messages;
}

function textContent(parts: readonly TextPart[]): unknown {
  const isPlain = parts.every(({ cache }) => cache === undefined);
  return isPlain && parts.length <= 1 ? (parts[0]?.text ?? '') : parts.map(writeText);
}

function userContent(parts: readonly UserPart[]): unknown {
  const [first] = parts;
  if (parts.length === 1 && first?.kind === 'text' && first.cache === undefined) return first.text;
  return parts.map((part) => {
    if (part.kind === 'text') return writeText(part);
    if (part.kind === 'image') return writeImage(part);
    if (part.kind === 'document') return writeDocument(part);
    throw new Unsayable('result');
  });
}

function writeText({ text, cache }: TextPart): object {
  return given({ type: 'text', text, cache_control: cache && { type: 'ephemeral', ...cache } });
}

function writeImage({ source, detail, cache }: ImagePart): object {
  if (source.kind === 'file') throw new Unsayable('file');
  const url = source.kind === 'url' ? source.url : `data:${source.mediaType};base64,${source.data}`;
  return given({
    type: 'image_url',
    image_url: given({ url, detail }),
    cache_control: cache && { type: 'ephemeral', ...cache },
  });
}

function writeDocument({ source, name }: DocumentPart): object {
  if (source.kind === 'file') return { type: 'file', file: { file_id: source.id } };
  if (source.kind === 'url') throw new Unsayable('documentUrl');
  const { mediaType, data } = source;
  if (mediaType.startsWith('audio/'))
    return { type: 'input_audio', input_audio: { data, format: mediaType.slice(6) } };
  const file = { filename: name ?? 'document', file_data: `data:${mediaType};base64,${data}` };
  return { type: 'file', file };
}

function writeAssistant(parts: readonly AnswerPart[], isShown: boolean): object {
  const texts = parts.filter((part) => part.kind === 'text');
  const calls = parts.filter((part) => part.kind === 'call');
  const details = parts.flatMap((part, index) => {
    if (part.kind !== 'thinking') return [];
    const { signature } = part;
    if (signature !== undefined && signature.origin !== 'chat' && !isShown) return [];
    return [
      given({
        type: 'reasoning.text',
        index,
        text: part.text,
        signature: signature && marked(signature, 'chat'),
      }),
    ];
  });
  return given({
    role: 'assistant',
    content: texts.length === 0 ? null : textContent(texts),
    tool_calls:
      calls.length === 0
        ? undefined
        : calls.map((call) => ({
            id: call.id,
            type: 'function',
            function: { name: call.name, arguments: call.arguments === '' ? '{}' : call.arguments },
          })),
    reasoning_details: details.length === 0 ? undefined : details,
  });
}

function writeTool({ name, description, parameters, strict, cache }: Tool): object {
  return given({
    type: 'function',
    function: given({ name, description, parameters, strict }),
    cache_control: cache && { type: 'ephemeral', ...cache },
  });
}

function writeChoice(choice: ToolChoice): unknown {
  return typeof choice === 'string' ? choice : { type: 'function', function: { name: choice.name } };
}

function writeFormat(output: OutputFormat): object {
  if (output.kind === 'json') return { type: 'json_object' };
  const { name, schema, strict } = output;
  return { type: 'json_schema', json_schema: given({ name, schema, strict }) };
}
