/** Rerank answers, in the shape that Cohere, Jina, vLLM and others share. */
import type { RerankResult } from 'plugboard/sdk';
import { AttemptFailure } from '../call/failure.js';
import type { JsonAnswer } from '../call/read-answer.js';
import type { RequestBody } from '../call/request-body.js';
import { passedOn, type JsonCall, type NamesModel } from './json-calls.js';

export type RerankRequest = NamesModel & { query: string; documents: readonly unknown[] };

export function rerankCall(body: RequestBody<RerankRequest>): JsonCall {
  const { model, documents } = body.value;
  return {
    model,
    characters: () => body.length,
    maxTokens: 0,
    wire: passedOn('/rerank', body),
    check: (answer) => checkRerank(answer, documents.length),
    long: 'results',
  };
}

interface Item {
  readonly index: number;
  readonly relevance_score: number;
}

/** Throws an `AttemptFailure` unless every result names one of the documents and a score. */
function checkRerank({ json }: JsonAnswer, documents: number): void {
  const items: unknown = json['results'];
  const isItem = (value: Item | null): boolean =>
    typeof value?.relevance_score === 'number' &&
    Number.isInteger(value.index) &&
    value.index >= 0 &&
    value.index < documents;
  if (!Array.isArray(items) || !items.every(isItem)) throw new AttemptFailure('invalid', 'no_results');
}

export function readRerank({ json }: JsonAnswer, model: string): RerankResult {
  const items = json['results'] as readonly Item[];
  return {
    model: typeof json['model'] === 'string' ? json['model'] : model,
    results: items
      .map(({ index, relevance_score: score }) => ({ index, score }))
      .toSorted((a, b) => b.score - a.score || a.index - b.index),
  };
}
