/**
 * Names of OpenTelemetry's GenAI conventions, none of which is stable yet
 * (https://opentelemetry.io/docs/specs/semconv/gen-ai/). Prompts and answers are not exported.
 */
import type { Work, WorkEnd } from 'plugboard/sdk';
import type { Attributes } from './otlp.js';

/** By the router's name of a purpose. */
const OPERATIONS: Readonly<Record<string, string>> = {
  'chat.completions': 'chat',
  messages: 'chat',
  responses: 'chat',
  generateContent: 'generate_content',
  completions: 'text_completion',
  embeddings: 'embeddings',
};

/** By an upstream's dialect. */
const PROVIDERS: Readonly<Record<string, string>> = {
  chat: 'openai',
  responses: 'openai',
  anthropic: 'anthropic',
  gemini: 'gcp.gemini',
};

export function operationOf(purpose: string): string {
  return Object.hasOwn(OPERATIONS, purpose) ? (OPERATIONS[purpose] ?? purpose) : purpose;
}

export function providerOf(dialect: string | null): string {
  return PROVIDERS[dialect ?? ''] ?? 'unknown';
}

export function callName({ purpose, model }: Work['call']): string {
  return `${operationOf(purpose)} ${model}`;
}

export function callAttributes(
  { purpose, model, stream, tenant }: Work['call'],
  { dialect, upstream, servedModel, tokensIn, tokensOut, tokensCached, firstToken }: WorkEnd['call'],
): Attributes {
  return {
    'gen_ai.operation.name': operationOf(purpose),
    'gen_ai.provider.name': providerOf(dialect),
    'gen_ai.request.model': model,
    'gen_ai.request.stream': stream,
    'gen_ai.response.model': servedModel,
    'gen_ai.response.time_to_first_chunk': firstToken === null ? null : firstToken / 1000,
    'gen_ai.usage.input_tokens': tokensIn,
    'gen_ai.usage.output_tokens': tokensOut,
    'gen_ai.usage.cache_read.input_tokens': tokensCached,
    'plugboard.upstream': upstream,
    'plugboard.tenant': tenant,
  };
}
