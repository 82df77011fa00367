/** A first request that a key with these scopes may send. */
import type { ApiRequest } from 'plugboard/console';

const EXAMPLES: readonly (readonly [scope: string, request: ApiRequest])[] = [
  [
    'chat',
    {
      method: 'POST',
      path: '/v1/chat/completions',
      body: { model: 'fast', messages: [{ role: 'user', content: 'Hello' }] },
    },
  ],
  ['memory', { method: 'POST', path: '/api/memory', body: { text: 'The user likes green tea.' } }],
  ['speech', { path: '/api/v1/voices' }],
  ['manage', { path: '/api/keys' }],
];

export function exampleFor(scopes: readonly string[]): ApiRequest | undefined {
  return EXAMPLES.find(([scope]) => scopes.includes(scope) || scopes.includes('*'))?.[1];
}
