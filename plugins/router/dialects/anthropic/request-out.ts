/** A neutral request as Anthropic's messages take it. */
import type {
  AnswerPart,
  CacheMark,
  DocumentPart,
  ImagePart,
  NeutralRequest,
  Settings,
  Source,
  TextPart,
  Thinking,
  Tool,
  ToolChoice,
  Turn,
  UserPart,
} from '../neutral.js';
import { argumentsObject, given, Unsayable } from '../reading.js';
import type { Json, Writing } from '../dialect.js';
import { REDACTED } from './content-in.js';

/** The limit if the client sets none: this dialect requires one. */
const MAX_TOKENS = 8_192;
/** Tokens of an answer without its thinking. */
const ROOM = 4_096;

export function writeRequest(request: NeutralRequest, { model, stream }: Writing): Json {
  const { system, turns, tools, toolChoice, settings, own } = request;
  refuseForeign(settings);
  const { tools: theirs = [], ...more } = own;
  const all = [...tools.map(writeTool), ...(theirs as readonly object[])];
  const { budget } = settings.thinking ?? {};
  return given({
    ...more,
    model,
    stream: stream ? true : undefined,
    max_tokens: settings.maxTokens ?? (budget === undefined ? MAX_TOKENS : budget + ROOM),
    system: system.length === 0 ? undefined : writeSystem(system),
    messages: joined(turns),
    tools: all.length === 0 ? undefined : all,
    tool_choice: all.length === 0 ? undefined : writeChoice(toolChoice, settings.parallelTools),
    temperature: settings.temperature,
    top_p: settings.topP,
    top_k: settings.topK,
    stop_sequences: settings.stop,
    metadata: settings.user === undefined ? undefined : { user_id: settings.user },
    ...writeThinking(settings),
  });
}

function refuseForeign({ seed, frequencyPenalty, presencePenalty, output }: Settings): void {
  if (seed !== undefined) throw new Unsayable('seed');
  if (frequencyPenalty !== undefined) throw new Unsayable('frequencyPenalty');
  if (presencePenalty !== undefined) throw new Unsayable('presencePenalty');
  if (output?.kind === 'json') throw new Unsayable('output');
}

function writeSystem(system: readonly TextPart[]): unknown {
  const [first] = system;
  return system.length === 1 && first?.cache === undefined ? first?.text : system.map(writeText);
}

/** Turns alternate, and an empty one is refused. */
function joined(turns: readonly Turn[]): object[] {
  const messages: { role: string; content: object[] }[] = [];
  for (const turn of turns) {
    const content = turn.role === 'user' ? writeUser(turn.parts) : turn.parts.flatMap(writeAnswerPart);
    const last = messages.at(-1);
    if (content.length === 0) continue;
    if (last?.role === turn.role) last.content.push(...content);
    else messages.push({ role: turn.role, content });
  }
  return messages;
}

/** Results come first. */
function writeUser(parts: readonly UserPart[]): object[] {
  const results = parts.filter((part) => part.kind === 'result');
  const others = parts.filter((part) => part.kind !== 'result');
  return [
    ...results.map(({ id, content, isError, cache }) =>
      given({
        type: 'tool_result',
        tool_use_id: idOf(id),
        content: content.flatMap(writeContent),
        is_error: isError ? true : undefined,
        cache_control: markOf(cache),
      }),
    ),
    ...others.flatMap(writeContent),
  ];
}

function writeContent(part: TextPart | ImagePart | DocumentPart): object[] {
  if (part.kind === 'text') return part.text === '' ? [] : [writeText(part)];
  const { source, cache } = part;
  if (part.kind === 'image')
    return [given({ type: 'image', source: sourceOf(source), cache_control: markOf(cache) })];
  if (source.kind === 'base64' && /^(?:audio|video)\//.test(source.mediaType)) throw new Unsayable('audio');
  return [
    given({ type: 'document', source: sourceOf(source), title: part.name, cache_control: markOf(cache) }),
  ];
}

function sourceOf(source: Source): object {
  if (source.kind === 'url') return { type: 'url', url: source.url };
  if (source.kind === 'file') return { type: 'file', file_id: source.id };
  const { mediaType, data } = source;
  if (mediaType === 'text/plain')
    return { type: 'text', media_type: mediaType, data: Buffer.from(data, 'base64').toString('utf8') };
  return { type: 'base64', media_type: mediaType, data };
}

function writeAnswerPart(part: AnswerPart): object[] {
  if (part.kind === 'text') return [writeText(part)];
  if (part.kind === 'call')
    return [
      given({
        type: 'tool_use',
        id: idOf(part.id),
        name: part.name,
        input: argumentsObject(part.arguments),
        cache_control: markOf(part.cache),
      }),
    ];
  const { signature } = part;
  // Another vendor's thinking means nothing here, and none that is not signed is taken.
  if (signature?.origin !== 'anthropic') return [];
  return signature.value.startsWith(REDACTED)
    ? [{ type: 'redacted_thinking', data: signature.value.slice(REDACTED.length) }]
    : [{ type: 'thinking', thinking: part.text, signature: signature.value }];
}

/** Ids of other vendors may hold characters that are refused here. */
function idOf(id: string): string {
  return id.replaceAll(/[^a-zA-Z0-9_-]/g, '_');
}

function writeText({ text, cache }: TextPart): object {
  return given({ type: 'text', text, cache_control: markOf(cache) });
}

function markOf(cache: CacheMark | undefined): object | undefined {
  return cache && { type: 'ephemeral', ...cache };
}

function writeTool({ name, description, parameters, strict, cache }: Tool): object {
  return given({ name, description, input_schema: parameters, strict, cache_control: markOf(cache) });
}

function writeChoice(choice: ToolChoice | undefined, parallel: boolean | undefined): object | undefined {
  const serial = parallel === false ? { disable_parallel_tool_use: true } : {};
  if (choice === undefined) return parallel === false ? { type: 'auto', ...serial } : undefined;
  if (choice === 'none') return { type: 'none' };
  if (choice === 'required') return { type: 'any', ...serial };
  return choice === 'auto' ? { type: 'auto', ...serial } : { type: 'tool', name: choice.name, ...serial };
}

function writeThinking({ thinking, output }: Settings): object {
  const format = output?.kind === 'schema' ? { format: { type: 'json_schema', schema: output.schema } } : {};
  const { mode, effort } = modeOf(thinking);
  const config = { ...format, ...effort };
  return { ...mode, ...(Object.keys(config).length > 0 && { output_config: config }) };
}

function modeOf(thinking: Thinking | undefined): { mode: object; effort: object } {
  if (thinking === undefined) return { mode: {}, effort: {} };
  const { effort, budget } = thinking;
  if (effort === 'none' || budget === 0) return { mode: { thinking: { type: 'disabled' } }, effort: {} };
  if (budget !== undefined && budget > 0)
    return { mode: { thinking: { type: 'enabled', budget_tokens: Math.max(1_024, budget) } }, effort: {} };
  return {
    mode: { thinking: { type: 'adaptive' } },
    effort: effort === undefined ? {} : { effort: effort === 'minimal' ? 'low' : effort },
  };
}
