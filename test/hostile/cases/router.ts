/** Requests against chat, embeddings and rerank. */
import { hostileBodies, hostileValues, type HostileCase } from '../case.js';

const chat = { method: 'POST', path: '/v1/chat/completions', scope: 'chat' } as const;

export const cases: readonly HostileCase[] = [
  ...hostileBodies(chat.method, chat.path, chat.scope),
  ...hostileBodies('POST', '/v1/embeddings', 'embeddings').slice(0, 4),
  ...hostileBodies('POST', '/v1/rerank', 'rerank').slice(0, 4),
  ...hostileValues(chat, { messages: [{ role: 'user', content: 'hi' }] }, 'model'),
  ...hostileValues(chat, { model: 'fast' }, 'messages'),
  {
    name: 'a chat of 20,000 messages',
    ...chat,
    headers: { 'content-type': 'application/json' },
    body: () =>
      JSON.stringify({
        model: 'fast',
        messages: Array.from({ length: 20_000 }, () => ({ role: 'user', content: 'a' })),
      }),
  },
  {
    name: 'a picture of 9 MB',
    ...chat,
    headers: { 'content-type': 'application/json' },
    body: () =>
      JSON.stringify({ model: 'fast', messages: [{ role: 'user', content: 'x'.repeat(9_000_000) }] }),
  },
  { name: 'a model of slashes', path: `/v1/models/${'/'.repeat(1_000)}`, scope: 'chat' },
  { name: 'usage of ten thousand years', path: '/api/usage?from=0001-01-01&to=9999-12-31', scope: 'usage' },
  { name: 'usage from a leap second', path: '/api/usage?from=2026-06-30T23:59:60Z', scope: 'usage' },
];
