/** A neutral request as generateContent takes it. */
import type {
  AnswerPart,
  DocumentPart,
  ImagePart,
  NeutralRequest,
  ResultPart,
  Settings,
  Thinking,
  Tool,
  ToolChoice,
  Turn,
  UserPart,
} from '../neutral.js';
import { argumentsObject, given, isObject } from '../reading.js';
import type { Json, Writing } from '../dialect.js';
import { budgetOf } from '../thinking.js';

/** Google's own word for calls that another vendor's model made: from Gemini 3 on, a call without a signature is refused. */
const FOREIGN = 'skip_thought_signature_validator';

export function writeRequest(request: NeutralRequest, { model }: Writing): Json {
  const { system, turns, tools, toolChoice, settings, own } = request;
  const { tools: theirs = [], generationConfig: more, candidateCount, ...rest } = own;
  const config = {
    ...writeSettings(settings, model),
    ...(isObject(more) && more),
    ...given({ candidateCount }),
  };
  const all = [
    ...(tools.length === 0 ? [] : [{ functionDeclarations: tools.map(writeTool) }]),
    ...(theirs as readonly object[]),
  ];
  return given({
    ...rest,
    systemInstruction: system.length === 0 ? undefined : { parts: system.map(({ text }) => ({ text })) },
    contents: writeTurns(turns, isOld(model)),
    tools: all.length === 0 ? undefined : all,
    toolConfig: toolChoice === undefined || tools.length === 0 ? undefined : writeChoice(toolChoice),
    generationConfig: Object.keys(config).length === 0 ? undefined : config,
  });
}

function isOld(model: string): boolean {
  return /gemini-[12]\b/.test(model);
}

function writeSettings(settings: Settings, model: string): object {
  const { output, thinking } = settings;
  return given({
    maxOutputTokens: settings.maxTokens,
    temperature: settings.temperature,
    topP: settings.topP,
    topK: settings.topK,
    stopSequences: settings.stop,
    seed: settings.seed,
    frequencyPenalty: settings.frequencyPenalty,
    presencePenalty: settings.presencePenalty,
    responseMimeType: output === undefined ? undefined : 'application/json',
    responseJsonSchema: output?.kind === 'schema' ? output.schema : undefined,
    thinkingConfig: thinking && writeThinking(thinking, isOld(model)),
  });
}

function writeThinking(thinking: Thinking, isOldModel: boolean): object {
  const { effort, budget, show } = thinking;
  const shown = { includeThoughts: show };
  if (isOldModel || (effort === undefined && budget !== undefined))
    return given({ ...shown, thinkingBudget: budgetOf(thinking) });
  const level = effort === 'none' ? 'minimal' : effort === 'xhigh' || effort === 'max' ? 'high' : effort;
  return given({ ...shown, thinkingLevel: level?.toUpperCase() });
}

function writeTurns(turns: readonly Turn[], isOldModel: boolean): object[] {
  const names = new Map<string, string>();
  const contents: { role: string; parts: object[] }[] = [];
  for (const turn of turns) {
    const role = turn.role === 'user' ? 'user' : 'model';
    const parts =
      turn.role === 'user'
        ? turn.parts.flatMap((part) => writeUserPart(part, names))
        : writeAnswer(turn.parts, names, isOldModel);
    const last = contents.at(-1);
    if (parts.length === 0) continue;
    if (last?.role === role) last.parts.push(...parts);
    else contents.push({ role, parts });
  }
  return contents;
}

function writeUserPart(part: UserPart, names: ReadonlyMap<string, string>): object[] {
  if (part.kind === 'text') return part.text === '' ? [] : [{ text: part.text }];
  return part.kind === 'result' ? writeResult(part, names) : [writeMedia(part)];
}

/** A response is an object; pictures and documents follow it. */
function writeResult({ id, content, isError }: ResultPart, names: ReadonlyMap<string, string>): object[] {
  const said = content.map((part) => (part.kind === 'text' ? part.text : '')).join('');
  const media = content.flatMap((part) => (part.kind === 'text' ? [] : [writeMedia(part)]));
  const response = isError ? { error: said } : { output: said };
  return [{ functionResponse: { id, name: names.get(id) ?? id, response } }, ...media];
}

function writeMedia({ kind, source }: ImagePart | DocumentPart): object {
  if (source.kind === 'base64') return { inlineData: { mimeType: source.mediaType, data: source.data } };
  if (source.kind === 'file') return { fileData: { fileUri: source.id } };
  const mimeType = source.mediaType ?? (kind === 'image' ? 'image/*' : 'application/pdf');
  return { fileData: { fileUri: source.url, mimeType } };
}

function writeAnswer(
  parts: readonly AnswerPart[],
  names: Map<string, string>,
  isOldModel: boolean,
): object[] {
  const written: object[] = [];
  let signature: string | undefined;
  let isFirstCall = true;
  for (const part of parts) {
    if (part.kind === 'thinking') {
      if (part.signature?.origin === 'gemini') signature = part.signature.value;
    } else {
      const isForeign = part.kind === 'call' && isFirstCall && signature === undefined && !isOldModel;
      const thoughtSignature = isForeign ? FOREIGN : signature;
      if (part.kind === 'call') {
        isFirstCall = false;
        names.set(part.id, part.name);
        const { id, name } = part;
        written.push(
          given({ functionCall: { id, name, args: argumentsObject(part.arguments) }, thoughtSignature }),
        );
      } else written.push(given({ text: part.text, thoughtSignature }));
      signature = undefined;
    }
  }
  if (signature !== undefined) written.push({ text: '', thoughtSignature: signature });
  return written;
}

function writeTool({ name, description, parameters }: Tool): object {
  return given({ name, description, parametersJsonSchema: parameters });
}

function writeChoice(choice: ToolChoice): object {
  const modes = { auto: 'AUTO', none: 'NONE', required: 'ANY' };
  const config =
    typeof choice === 'string'
      ? { mode: modes[choice] }
      : { mode: 'ANY', allowedFunctionNames: [choice.name] };
  return { functionCallingConfig: config };
}
