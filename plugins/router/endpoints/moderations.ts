/** Texts and pictures judged against a vendor's policies. */
import { AttemptFailure } from '../call/failure.js';
import type { JsonAnswer } from '../call/read-answer.js';
import type { RequestBody } from '../call/request-body.js';
import { passedOn, type JsonCall, type NamesModel } from './json-calls.js';

export function moderationsCall(body: RequestBody<NamesModel>): JsonCall {
  return {
    model: body.value.model,
    characters: () => body.length,
    maxTokens: 0,
    wire: passedOn('/moderations', body),
    check: checkModerations,
    long: 'results',
  };
}

function checkModerations({ json }: JsonAnswer): void {
  const results: unknown = json['results'];
  const isResult = (result: { flagged?: unknown } | null): boolean => typeof result?.flagged === 'boolean';
  if (!Array.isArray(results) || results.length === 0 || !results.every(isResult))
    throw new AttemptFailure('invalid', 'no_results');
}
