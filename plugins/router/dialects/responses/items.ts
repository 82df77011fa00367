/** The items of a response's output. */
import type { CallPart, Signature } from '../neutral.js';
import { marked } from '../signatures.js';
import type { Asked, Json } from '../dialect.js';
import { inputOf, wantsEncrypted } from './request-in.js';

const PREFIXES = { text: 'msg', thinking: 'rs', call: 'fc' };

/** An item's id, which stays the same through a stream. */
export function itemOf(response: string, index: number, kind: keyof typeof PREFIXES): string {
  return `${PREFIXES[kind]}_${response.replace(/^resp_/, '')}_${index}`;
}

export function messageItem(id: string, said: string | undefined, status: string): Json {
  const content = said === undefined ? [] : [outputText(said)];
  return { id, type: 'message', status, role: 'assistant', content };
}

export function outputText(text: string): Json {
  return { type: 'output_text', text, annotations: [], logprobs: [] };
}

export function reasoningItem(
  id: string,
  said: string,
  signature: Signature | undefined,
  { body }: Asked,
): Json {
  return {
    id: signature?.origin === 'responses' ? signature.value.slice(0, signature.value.indexOf(':')) : id,
    type: 'reasoning',
    summary: said === '' ? [] : [{ type: 'summary_text', text: said }],
    ...(signature !== undefined && wantsEncrypted(body) && { encrypted_content: encrypted(signature) }),
  };
}

function encrypted(signature: Signature): string {
  const { origin, value } = signature;
  return origin === 'responses' ? value.slice(value.indexOf(':') + 1) : marked(signature, 'responses');
}

export function isTextTool({ request }: Asked, name: string): boolean {
  return request.tools.some((tool) => tool.name === name && tool.isText === true);
}

export function callItem(
  id: string,
  { id: callId, name }: Pick<CallPart, 'id' | 'name'>,
  made: string,
  status: string,
  asked: Asked,
): Json {
  const head = { id, call_id: callId, name, status };
  return isTextTool(asked, name)
    ? { ...head, type: 'custom_tool_call', input: made === '' ? '' : inputOf(made) }
    : { ...head, type: 'function_call', arguments: made };
}
