/** Errors as Ollama's clients read them. */
import type { Dialect } from 'plugboard/sdk';

export const ollamaErrors: Dialect = {
  name: 'ollama',
  schema: {
    type: 'object',
    required: ['error'],
    properties: { error: { type: 'string' }, code: { type: 'string' } },
  },
  render: ({ status, headers, code, message }) => ({
    status,
    ...(headers !== undefined && { headers }),
    body: { error: message, code },
  }),
};
