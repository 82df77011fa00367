/** The parts of a content, to neutral ones. */
import type { CallIds } from '../call-ids.js';
import type { AnswerPart, DocumentPart, ImagePart, TextPart, ThinkingPart, UserPart } from '../neutral.js';
import { object, optionalText, text, Unreadable } from '../reading.js';
import { unmarked } from '../signatures.js';
import type { Json } from '../dialect.js';
import { field } from './fields.js';

export function readUserPart(part: Json, at: string, calls: CallIds): UserPart {
  const value = field(part, 'functionResponse');
  if (value === undefined) return readContent(part, at);
  const place = `${at}.functionResponse`;
  const response = object(value, place);
  const said = object(response['response'] ?? {}, `${place}.response`);
  const name = text(response['name'], `${place}.name`);
  const [failure, output] = [said['error'], said['output'] ?? said['result']];
  return {
    kind: 'result',
    id: calls.result(optionalText(response['id'], `${place}.id`), name),
    content: [
      { kind: 'text', text: typeof output === 'string' ? output : JSON.stringify(failure ?? output ?? said) },
    ],
    isError: failure !== undefined && output === undefined,
  };
}

function readContent(part: Json, at: string): TextPart | ImagePart | DocumentPart {
  if (typeof part['text'] === 'string') return { kind: 'text', text: part['text'] };
  const inline = field(part, 'inlineData');
  if (inline !== undefined) {
    const data = object(inline, `${at}.inlineData`);
    const mediaType = text(field(data, 'mimeType'), `${at}.inlineData.mimeType`);
    return mediaOf(mediaType, {
      kind: 'base64',
      mediaType,
      data: text(data['data'], `${at}.inlineData.data`),
    });
  }
  const file = field(part, 'fileData');
  if (file === undefined)
    throw new Unreadable(at, 'a part with text, inlineData, fileData or functionResponse');
  const data = object(file, `${at}.fileData`);
  const mediaType = optionalText(field(data, 'mimeType'), `${at}.fileData.mimeType`) ?? '';
  const url = text(field(data, 'fileUri'), `${at}.fileData.fileUri`);
  const isUploaded = url.startsWith('https://generativelanguage.googleapis.com/');
  return mediaOf(mediaType, isUploaded ? { kind: 'file', id: url } : { kind: 'url', url, mediaType });
}

function mediaOf(mediaType: string, source: ImagePart['source']): ImagePart | DocumentPart {
  return mediaType.startsWith('image/') ? { kind: 'image', source } : { kind: 'document', source };
}

/** Of an answer, or of a turn that the client sends back. */
export function readAnswerPart(part: Json, at: string, calls: CallIds): AnswerPart[] {
  const signed = optionalText(field(part, 'thoughtSignature'), `${at}.thoughtSignature`);
  const signature = signed === undefined || signed === '' ? undefined : unmarked(signed, 'gemini');
  const said = optionalText(part['text'], `${at}.text`) ?? '';
  if (part['thought'] === true)
    return [{ kind: 'thinking', text: said, ...(signature !== undefined && { signature }) }];
  const thinking: ThinkingPart[] = signature === undefined ? [] : [{ kind: 'thinking', text: '', signature }];
  const value = field(part, 'functionCall');
  if (value === undefined) {
    if (part['text'] === undefined && signature === undefined)
      throw new Unreadable(at, 'a part with text or functionCall');
    return said === '' ? thinking : [...thinking, { kind: 'text', text: said }];
  }
  const call = object(value, `${at}.functionCall`);
  const name = text(call['name'], `${at}.functionCall.name`);
  return [
    ...thinking,
    {
      kind: 'call',
      id: calls.call(optionalText(call['id'], `${at}.functionCall.id`), name),
      name,
      arguments: JSON.stringify(call['args'] ?? {}),
    },
  ];
}
