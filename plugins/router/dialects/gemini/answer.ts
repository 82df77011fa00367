/** Whole answers of generateContent, read and written. */
import { CallIds } from '../call-ids.js';
import { AttemptFailure } from '../../call/failure.js';
import type { AnswerPart, FinishReason, NeutralAnswer, NeutralUsage } from '../neutral.js';
import {
  argumentsObject,
  count,
  given,
  isObject,
  object,
  optionalList,
  optionalText,
  sum,
} from '../reading.js';
import { joined } from '../parts.js';
import { marked } from '../signatures.js';
import type { Asked, Json } from '../dialect.js';
import { readAnswerPart } from './content-in.js';

export function readAnswer(answer: Json): NeutralAnswer {
  const usage = readUsage(answer['usageMetadata']);
  const head = {
    id: optionalText(answer['responseId'], 'responseId'),
    model: optionalText(answer['modelVersion'], 'modelVersion'),
    usage,
  };
  const candidate = optionalList(answer['candidates'], 'candidates')[0];
  if (candidate === undefined) {
    if (!isBlocked(answer)) throw new AttemptFailure('invalid', 'no_candidates');
    return { ...head, parts: [], finish: 'filter' };
  }
  const parts = joined(partsOf(object(candidate, 'candidates[0]'), new CallIds()));
  const finish = readFinish(object(candidate, 'candidates[0]')['finishReason']);
  const hasCalls = parts.some(({ kind }) => kind === 'call');
  return { ...head, parts, finish: finish === 'stop' && hasCalls ? 'calls' : finish };
}

/** The prompt itself was filtered. */
export function isBlocked(answer: Json): boolean {
  return isObject(answer['promptFeedback']) && answer['promptFeedback']['blockReason'] !== undefined;
}

export function partsOf(candidate: Json, calls: CallIds): AnswerPart[] {
  const content = isObject(candidate['content']) ? candidate['content'] : {};
  return optionalList(content['parts'], 'parts').flatMap((value, index) =>
    readAnswerPart(object(value, `parts[${index}]`), `parts[${index}]`, calls),
  );
}

const FILTERS = /^(?:SAFETY|RECITATION|BLOCKLIST|PROHIBITED_CONTENT|SPII|IMAGE_)/;

export function readFinish(reason: unknown): FinishReason {
  if (typeof reason !== 'string') return 'stop';
  if (reason === 'MAX_TOKENS') return 'length';
  if (reason === 'MALFORMED_FUNCTION_CALL' || reason === 'UNEXPECTED_TOOL_CALL')
    throw new AttemptFailure('failed', reason.toLowerCase());
  return FILTERS.test(reason) ? 'filter' : 'stop';
}

const REASONS: Readonly<Record<FinishReason, string>> = {
  stop: 'STOP',
  length: 'MAX_TOKENS',
  context: 'MAX_TOKENS',
  calls: 'STOP',
  filter: 'SAFETY',
  stop_sequence: 'STOP',
  pause: 'STOP',
};

export function writeFinish(finish: FinishReason): string {
  return REASONS[finish];
}

/** Their candidates are without the thinking, their prompt is without what tools put into it. */
export function readUsage(usage: unknown): NeutralUsage {
  const counts = isObject(usage) ? usage : {};
  const reasoning = count(counts['thoughtsTokenCount']);
  return {
    input: sum(count(counts['promptTokenCount']), count(counts['toolUsePromptTokenCount'])),
    output: sum(count(counts['candidatesTokenCount']), reasoning),
    cached: count(counts['cachedContentTokenCount']),
    cacheWritten: null,
    reasoning,
  };
}

export function writeUsage({ input, output, cached, reasoning }: NeutralUsage): Json {
  return given({
    promptTokenCount: input ?? 0,
    candidatesTokenCount: (output ?? 0) - (reasoning ?? 0),
    totalTokenCount: (input ?? 0) + (output ?? 0),
    cachedContentTokenCount: cached ?? undefined,
    thoughtsTokenCount: reasoning ?? undefined,
  });
}

export function writeAnswer({ id, parts, finish, usage }: NeutralAnswer, { model }: Asked): Json {
  const content = { role: 'model', parts: parts.map(writePart) };
  return {
    candidates: [{ content, finishReason: writeFinish(finish), index: 0 }],
    usageMetadata: writeUsage(usage),
    modelVersion: model,
    responseId: id ?? '',
  };
}

function writePart(part: AnswerPart): Json {
  if (part.kind === 'text') return { text: part.text };
  if (part.kind === 'call') {
    const { id, name } = part;
    return { functionCall: { id, name, args: argumentsObject(part.arguments) } };
  }
  const { text, signature } = part;
  return given({ text, thought: true, thoughtSignature: signature && marked(signature, 'gemini') });
}
