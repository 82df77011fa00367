/** Which shape of errors the clients of a path read. */
import type { Dialect } from 'plugboard/sdk';
import { anthropicErrors } from './anthropic/errors.js';
import { geminiErrors } from './gemini/errors.js';
import { ollamaErrors } from './ollama/errors.js';

/** Undefined if they read OpenAI's. */
export function errorDialectOf(path: string): Dialect | undefined {
  if (/^\/(?:api\/)?v1\/messages(?:\/|$)/.test(path)) return anthropicErrors;
  if (/^\/api\/(?:chat|generate|embed|tags|show|version)$/.test(path)) return ollamaErrors;
  return /^\/v1beta(?:\/|$)/.test(path) || /^\/v1\/models\/[^]*:[a-zA-Z]+$/.test(path)
    ? geminiErrors
    : undefined;
}
