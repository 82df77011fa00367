/** The blocks of a message, to parts. */
import type {
  AnswerPart,
  CacheMark,
  DocumentPart,
  ImagePart,
  Source,
  TextPart,
  UserPart,
} from '../neutral.js';
import {
  given,
  list,
  object,
  optionalBoolean,
  optionalObject,
  optionalText,
  text,
  Unreadable,
} from '../reading.js';
import { unmarked } from '../signatures.js';
import type { Json } from '../dialect.js';

/** In front of the data of thinking that the vendor hides, among signatures. */
export const REDACTED = 'redacted:';

export function cacheOf(block: Json, at: string): CacheMark | undefined {
  const mark = optionalObject(block['cache_control'], `${at}.cache_control`);
  return mark && given({ ttl: optionalText(mark['ttl'], `${at}.cache_control.ttl`) });
}

export function readUserPart(block: Json, at: string): UserPart {
  if (block['type'] !== 'tool_result') return readContent(block, at);
  const { content } = block;
  return given({
    kind: 'result' as const,
    id: text(block['tool_use_id'], `${at}.tool_use_id`),
    content: resultContent(content, `${at}.content`),
    isError: optionalBoolean(block['is_error'], `${at}.is_error`) ?? false,
    cache: cacheOf(block, at),
  });
}

function resultContent(content: unknown, at: string): (TextPart | ImagePart | DocumentPart)[] {
  if (content === undefined || content === null) return [];
  if (typeof content === 'string') return [{ kind: 'text', text: content }];
  return list(content, at).map((value, index) =>
    readContent(object(value, `${at}[${index}]`), `${at}[${index}]`),
  );
}

function readContent(block: Json, at: string): TextPart | ImagePart | DocumentPart {
  const cache = cacheOf(block, at);
  switch (block['type']) {
    case 'text':
      return given({ kind: 'text' as const, text: text(block['text'], `${at}.text`), cache });
    case 'image':
      return given({ kind: 'image' as const, source: readSource(block, at), cache });
    case 'document':
      return readDocument(block, at, cache);
    default:
      throw new Unreadable(`${at}.type`, 'one of text, image, document, tool_result');
  }
}

function readDocument(block: Json, at: string, cache: CacheMark | undefined): TextPart | DocumentPart {
  const source = object(block['source'], `${at}.source`);
  // A text is a text in every dialect.
  if (source['type'] === 'text')
    return given({ kind: 'text' as const, text: text(source['data'], `${at}.source.data`), cache });
  const name = optionalText(block['title'], `${at}.title`);
  return given({ kind: 'document' as const, source: readSource(block, at), name, cache });
}

function readSource(block: Json, at: string): Source {
  const source = object(block['source'], `${at}.source`);
  switch (source['type']) {
    case 'base64':
      return {
        kind: 'base64',
        mediaType: text(source['media_type'], `${at}.source.media_type`),
        data: text(source['data'], `${at}.source.data`),
      };
    case 'url':
      return { kind: 'url', url: text(source['url'], `${at}.source.url`) };
    case 'file':
      return { kind: 'file', id: text(source['file_id'], `${at}.source.file_id`) };
    default:
      throw new Unreadable(`${at}.source.type`, 'one of base64, url, file, text');
  }
}

/** Of an answer, or of a turn that the client sends back. */
export function readAnswerPart(block: Json, at: string): AnswerPart[] {
  switch (block['type']) {
    case 'text': {
      const said = text(block['text'], `${at}.text`);
      return said === '' ? [] : [given({ kind: 'text' as const, text: said, cache: cacheOf(block, at) })];
    }
    case 'thinking': {
      const signature = optionalText(block['signature'], `${at}.signature`);
      const thought = text(block['thinking'], `${at}.thinking`);
      return [
        {
          kind: 'thinking',
          text: thought,
          ...(signature !== undefined && signature !== '' && { signature: unmarked(signature, 'anthropic') }),
        },
      ];
    }
    case 'redacted_thinking': {
      const value = `${REDACTED}${text(block['data'], `${at}.data`)}`;
      return [{ kind: 'thinking', text: '', signature: { origin: 'anthropic', value } }];
    }
    case 'tool_use':
      return [
        given({
          kind: 'call' as const,
          id: text(block['id'], `${at}.id`),
          name: text(block['name'], `${at}.name`),
          arguments: JSON.stringify(block['input'] ?? {}),
          cache: cacheOf(block, at),
        }),
      ];
    default:
      throw new Unreadable(`${at}.type`, 'one of text, thinking, redacted_thinking, tool_use');
  }
}
