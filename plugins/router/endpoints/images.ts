/** Pictures made from a text. */
import { AttemptFailure } from '../call/failure.js';
import type { JsonAnswer } from '../call/read-answer.js';
import type { RequestBody } from '../call/request-body.js';
import { passedOn, type JsonCall, type NamesModel } from './json-calls.js';

export function imagesCall(body: RequestBody<NamesModel>): JsonCall {
  return {
    model: body.value.model,
    characters: () => body.length,
    maxTokens: undefined,
    wire: passedOn('/images/generations', body),
    check: checkImages,
    long: 'images',
  };
}

/** Throws an `AttemptFailure` unless there are pictures or their addresses. */
function checkImages({ json }: JsonAnswer): void {
  const items: unknown = json['data'];
  const isImage = (item: { b64_json?: unknown; url?: unknown } | null): boolean =>
    typeof item?.b64_json === 'string' || typeof item?.url === 'string';
  if (!Array.isArray(items) || items.length === 0 || !items.every(isImage))
    throw new AttemptFailure('invalid', 'no_images');
}
