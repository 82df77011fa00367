/** Embedding answers: their check, and vectors as numbers or as base64, whichever the client asked for. */
import type { EmbeddingResult } from 'plugboard/sdk';
import { AttemptFailure } from '../call/failure.js';
import type { JsonAnswer } from '../call/read-answer.js';
import type { RequestBody } from '../call/request-body.js';
import { geminiEmbeddings } from './gemini-embeddings.js';
import { passedOn, type JsonCall, type NamesModel } from './json-calls.js';
import { readTokens } from '../usage/tokens.js';

export type EmbeddingsRequest = NamesModel & { input: unknown; encoding_format?: 'float' | 'base64' };

export function embeddingsCall(body: RequestBody<EmbeddingsRequest>): JsonCall {
  const { model, input, encoding_format: format = 'float' } = body.value;
  const inputs = countInputs(input);
  const passed = passedOn('/embeddings', body);
  return {
    model,
    characters: () => body.length,
    maxTokens: 0,
    wire: (target) =>
      target.upstream.kind.wire === 'gemini' ? geminiEmbeddings(target, body.value) : passed(target),
    check: (answer) => checkEmbeddings(answer, inputs),
    long: format,
    encode: (answer) => encodeEmbeddings(answer, format),
  };
}

interface Item {
  readonly embedding: readonly number[] | string;
  readonly index: number;
  readonly [member: string]: unknown;
}

/** Throws an `AttemptFailure` unless there is one vector for each input. */
function checkEmbeddings({ json }: JsonAnswer, inputs: number): void {
  const items: unknown = json['data'];
  if (!Array.isArray(items) || !items.every(isItem)) throw new AttemptFailure('invalid', 'no_embeddings');
  if (items.length !== inputs) throw new AttemptFailure('invalid', 'embeddings_missing');
}

/** The answer in the format that was asked for: some servers know only one of the two. */
function encodeEmbeddings({ text, json }: JsonAnswer, format: 'float' | 'base64'): string {
  const items = json['data'] as readonly Item[];
  const wanted = format === 'base64' ? 'string' : 'object';
  if (items.every(({ embedding }) => typeof embedding === wanted)) return text;
  const encode = format === 'base64' ? toBase64 : toNumbers;
  return JSON.stringify({
    ...json,
    data: items.map((item) => ({ ...item, embedding: encode(item.embedding) })),
  });
}

export function readEmbeddings(answer: JsonAnswer, model: string): EmbeddingResult {
  const { json } = answer;
  return {
    model: typeof json['model'] === 'string' ? json['model'] : model,
    vectors: inOrder(answer).map(({ embedding }) => toFloats(embedding)),
    tokens: readTokens(json['usage']).tokensIn ?? 0,
  };
}

/** Vectors in the order of the inputs, with the digits that the upstream wrote. */
export function vectorsIn(answer: JsonAnswer): (readonly number[])[] {
  return inOrder(answer).map(({ embedding }) => toNumbers(embedding));
}

function inOrder({ json }: JsonAnswer): readonly Item[] {
  return (json['data'] as readonly Item[]).toSorted((a, b) => a.index - b.index);
}

/** How many inputs a request has: a list of token numbers is one input. */
function countInputs(input: unknown): number {
  return Array.isArray(input) && typeof input[0] !== 'number' ? input.length : 1;
}

function isItem(value: unknown): value is Item {
  const item = value as Item | null;
  return (
    typeof item === 'object' &&
    item !== null &&
    (typeof item.embedding === 'string' ||
      (Array.isArray(item.embedding) && item.embedding.every((number) => typeof number === 'number')))
  );
}

function toFloats(embedding: Item['embedding']): Float32Array {
  if (typeof embedding !== 'string') return Float32Array.from(embedding);
  const bytes = Buffer.from(embedding, 'base64');
  // Little-endian on the wire and not aligned in Buffer's pool, so each number is read by itself.
  return Float32Array.from({ length: bytes.length >> 2 }, (_, at) => bytes.readFloatLE(at * 4));
}

function toNumbers(embedding: Item['embedding']): readonly number[] {
  return typeof embedding === 'string' ? Array.from(toFloats(embedding)) : embedding;
}

function toBase64(embedding: Item['embedding']): string {
  if (typeof embedding === 'string') return embedding;
  const bytes = Buffer.alloc(embedding.length * 4);
  for (const [at, number] of embedding.entries()) bytes.writeFloatLE(number, at * 4);
  return bytes.toString('base64');
}
