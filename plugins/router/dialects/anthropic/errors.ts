/** Errors as Anthropic's clients read them. */
import type { Dialect } from 'plugboard/sdk';

const TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  409: 'conflict_error',
  413: 'request_too_large',
  422: 'invalid_request_error',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  504: 'timeout_error',
};

export const anthropicErrors: Dialect = {
  name: 'anthropic',
  schema: {
    type: 'object',
    required: ['type', 'error'],
    properties: {
      type: { const: 'error' },
      error: {
        type: 'object',
        required: ['type', 'message'],
        properties: { type: { type: 'string' }, message: { type: 'string' }, details: { type: 'object' } },
      },
      request_id: { type: 'string' },
    },
  },
  render: ({ status, headers, code, message, fields }, { id }) => ({
    status,
    headers: { 'request-id': id, ...headers },
    body: {
      type: 'error',
      error: {
        type: TYPES[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error'),
        message,
        details: { error_code: code, ...(fields.param && { param: fields.param }), ...fields.extra },
      },
      request_id: id,
    },
  }),
};
