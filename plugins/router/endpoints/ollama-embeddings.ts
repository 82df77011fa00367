/** Embeddings for clients that speak Ollama's own dialect. */
import { RequestBody } from '../call/request-body.js';
import { readTokens } from '../usage/tokens.js';
import { embeddingsCall, vectorsIn } from './embeddings.js';
import type { JsonCall } from './json-calls.js';

export interface EmbedRequest {
  readonly model: string;
  readonly input: string | readonly string[];
  readonly dimensions?: number;
}

export function ollamaEmbeddingsCall({ model, input, dimensions }: EmbedRequest): JsonCall {
  const asked = { model, input, ...(dimensions !== undefined && { dimensions }) };
  const call = embeddingsCall(new RequestBody({ ...asked, encoding_format: 'float' as const }));
  return {
    ...call,
    // It is written anew, and for that read whole.
    long: undefined,
    encode: (answer) => {
      const { tokensIn } = readTokens(answer.json['usage']);
      const counted = tokensIn === null ? {} : { prompt_eval_count: tokensIn };
      return JSON.stringify({ model, embeddings: vectorsIn(answer), ...counted });
    },
  };
}
