/** The content of a chat message, to parts. */
import type { CacheMark, DocumentPart, ImagePart, Source, TextPart } from '../neutral.js';
import { dataUrl, given, object, objects, optionalText, text, Unreadable } from '../reading.js';
import type { Json } from '../dialect.js';

export function contentParts(content: unknown, at: string): (TextPart | ImagePart | DocumentPart)[] {
  if (content === null || content === undefined) return [];
  if (typeof content === 'string') return [{ kind: 'text', text: content }];
  return objects(content, at).map(([part, place]) => readPart(part, place));
}

function readPart(part: Json, at: string): TextPart | ImagePart | DocumentPart {
  const cache = readCache(part['cache_control']);
  switch (part['type']) {
    case 'text':
      return given({ kind: 'text' as const, text: text(part['text'], `${at}.text`), cache });
    case 'refusal':
      return { kind: 'text', text: text(part['refusal'], `${at}.refusal`) };
    case 'image_url': {
      const image = object(part['image_url'], `${at}.image_url`);
      const source = sourceOf(text(image['url'], `${at}.image_url.url`));
      return given({
        kind: 'image' as const,
        source,
        detail: optionalText(image['detail'], `${at}.image_url.detail`),
        cache,
      });
    }
    case 'file': {
      const file = object(part['file'], `${at}.file`);
      return given({
        kind: 'document' as const,
        source: fileSource(file, `${at}.file`),
        name: optionalText(file['filename'], `${at}.file.filename`),
        cache,
      });
    }
    case 'input_audio': {
      const audio = object(part['input_audio'], `${at}.input_audio`);
      const mediaType = `audio/${text(audio['format'], `${at}.input_audio.format`)}`;
      const data = text(audio['data'], `${at}.input_audio.data`);
      return { kind: 'document', source: { kind: 'base64', mediaType, data } };
    }
    default:
      throw new Unreadable(`${at}.type`, 'one of text, image_url, file, input_audio');
  }
}

function fileSource(file: Json, at: string): Source {
  const id = optionalText(file['file_id'], `${at}.file_id`);
  return id === undefined ? sourceOf(text(file['file_data'], `${at}.file_data`)) : { kind: 'file', id };
}

/** An address, or the bytes in it. */
export function sourceOf(url: string): Source {
  const data = dataUrl(url);
  return data === undefined ? { kind: 'url', url } : { kind: 'base64', ...data };
}

/** Anthropic's, which other servers take over. */
export function readCache(value: unknown): CacheMark | undefined {
  if (value === undefined || value === null) return undefined;
  return given({ ttl: optionalText(object(value, 'cache_control')['ttl'], 'cache_control.ttl') });
}
