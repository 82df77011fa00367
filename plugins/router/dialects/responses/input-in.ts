/** The items of `input`, to turns. */
import { sourceOf } from '../chat/content-in.js';
import type { AnswerPart, DocumentPart, ImagePart, TextPart, Turn } from '../neutral.js';
import { given, list, object, optionalList, optionalText, text, Unreadable } from '../reading.js';
import { unmarked } from '../signatures.js';
import { Turns } from '../turns.js';
import type { Json } from '../dialect.js';

export function readInput(input: unknown): { system: TextPart[]; turns: readonly Turn[] } {
  const system: TextPart[] = [];
  const turns = new Turns();
  const items = typeof input === 'string' ? [{ role: 'user', content: input }] : list(input, 'input');
  for (const [index, value] of items.entries()) {
    const at = `input[${index}]`;
    const item = object(value, at);
    switch (item['type'] ?? 'message') {
      case 'message': {
        const parts = contentParts(item['content'], `${at}.content`);
        const texts = parts.filter((part) => part.kind === 'text');
        const role = item['role'];
        if (role === 'user') turns.user(...parts);
        else if (role === 'assistant') turns.assistant(...texts.filter((part) => part.text !== ''));
        else if (role === 'system' || role === 'developer') system.push(...texts);
        else throw new Unreadable(`${at}.role`, 'one of system, developer, user, assistant');
        break;
      }
      case 'function_call':
      case 'custom_tool_call':
        turns.assistant(readCall(item, at));
        break;
      case 'function_call_output':
      case 'custom_tool_call_output':
        turns.user({
          kind: 'result',
          id: text(item['call_id'], `${at}.call_id`),
          content: contentParts(item['output'], `${at}.output`),
          isError: false,
        });
        break;
      case 'reasoning':
        turns.assistant(readReasoning(item, at));
        break;
      default:
        throw new Unreadable(
          `${at}.type`,
          'one of message, function_call, function_call_output, custom_tool_call, custom_tool_call_output, reasoning',
        );
    }
  }
  return { system, turns: turns.all };
}

function readCall(item: Json, at: string): AnswerPart {
  const isText = item['type'] === 'custom_tool_call';
  const made = text(item[isText ? 'input' : 'arguments'], `${at}.${isText ? 'input' : 'arguments'}`);
  return {
    kind: 'call',
    id: text(item['call_id'], `${at}.call_id`),
    name: text(item['name'], `${at}.name`),
    arguments: isText ? JSON.stringify({ input: made }) : made,
  };
}

/** A signature of this vendor goes with the id of its item. */
export function readReasoning(item: Json, at: string): AnswerPart {
  const summary = optionalList(item['summary'], `${at}.summary`).map((value, index) =>
    text(object(value, `${at}.summary[${index}]`)['text'], `${at}.summary[${index}].text`),
  );
  const encrypted = optionalText(item['encrypted_content'], `${at}.encrypted_content`);
  const said = summary.join('\n\n');
  if (encrypted === undefined) return { kind: 'thinking', text: said };
  const signature = unmarked(encrypted, 'responses');
  if (signature.origin !== 'responses') return { kind: 'thinking', text: said, signature };
  const id = optionalText(item['id'], `${at}.id`) ?? '';
  return { kind: 'thinking', text: said, signature: { origin: 'responses', value: `${id}:${encrypted}` } };
}

function contentParts(content: unknown, at: string): (TextPart | ImagePart | DocumentPart)[] {
  if (typeof content === 'string') return [{ kind: 'text', text: content }];
  return list(content, at).map((value, index) =>
    readPart(object(value, `${at}[${index}]`), `${at}[${index}]`),
  );
}

function readPart(part: Json, at: string): TextPart | ImagePart | DocumentPart {
  const id = optionalText(part['file_id'], `${at}.file_id`);
  switch (part['type']) {
    case 'input_text':
    case 'output_text':
    case 'text':
      return { kind: 'text', text: text(part['text'], `${at}.text`) };
    case 'refusal':
      return { kind: 'text', text: text(part['refusal'], `${at}.refusal`) };
    case 'input_image':
      return given({
        kind: 'image' as const,
        source:
          id === undefined
            ? sourceOf(text(part['image_url'], `${at}.image_url`))
            : ({ kind: 'file', id } as const),
        detail: optionalText(part['detail'], `${at}.detail`),
      });
    case 'input_file': {
      const url = optionalText(part['file_url'], `${at}.file_url`);
      return given({
        kind: 'document' as const,
        source:
          id !== undefined
            ? ({ kind: 'file', id } as const)
            : url !== undefined
              ? ({ kind: 'url', url } as const)
              : sourceOf(text(part['file_data'], `${at}.file_data`)),
        name: optionalText(part['filename'], `${at}.filename`),
      });
    }
    default:
      throw new Unreadable(`${at}.type`, 'one of input_text, input_image, input_file, output_text, refusal');
  }
}
