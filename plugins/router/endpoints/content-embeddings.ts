/** Embeddings for clients that speak Google's dialect. */
import { RequestBody } from '../call/request-body.js';
import { readFromClient } from '../dialects/client-fault.js';
import type { Json } from '../dialects/dialect.js';
import { field } from '../dialects/gemini/fields.js';
import { object, objects, text } from '../dialects/reading.js';
import { embeddingsCall, vectorsIn } from './embeddings.js';
import { unsayable, type JsonCall } from './json-calls.js';

/** What no other dialect has a word for. */
const THEIRS = ['taskType', 'title'] as const;

/** `body` is that of `embedContent`, or of `batchEmbedContents`, which has several. Throws `invalid_request`. */
export function contentEmbeddingsCall(model: string, body: Json): JsonCall {
  const { requests: batch } = body;
  const requests = batch === undefined ? [body] : (batch as readonly Json[]);
  const input = readFromClient(() =>
    requests.map((request, index) => textOf(request, batch === undefined ? '' : `requests[${index}].`)),
  );
  const dimensions = field(requests[0] ?? {}, 'outputDimensionality');
  const theirs = THEIRS.find((name) => requests.some((request) => field(request, name) !== undefined));
  const call = embeddingsCall(
    new RequestBody({
      model,
      input,
      encoding_format: 'float' as const,
      ...(dimensions !== undefined && { dimensions }),
    }),
  );
  return {
    ...call,
    // It is written anew, and for that read whole.
    long: undefined,
    wire(target) {
      const wire = call.wire(target);
      if (theirs === undefined) return wire;
      if (target.upstream.kind.wire !== 'gemini') throw unsayable(target, theirs);
      const named = `models/${target.model.replace(/^models\//, '')}`;
      return {
        ...wire,
        body: JSON.stringify({ requests: requests.map((one) => ({ ...one, model: named })) }),
      };
    },
    encode: (answer) => {
      const embeddings = vectorsIn(answer).map((values) => ({ values }));
      return JSON.stringify(batch === undefined ? { embedding: embeddings[0] } : { embeddings });
    },
  };
}

function textOf(request: Json, at: string): string {
  const content = object(request['content'], `${at}content`);
  return objects(content['parts'], `${at}content.parts`)
    .map(([part, place]) => text(part['text'], `${place}.text`))
    .join('');
}
