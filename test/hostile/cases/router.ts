/** Requests against chat, embeddings and rerank. */
import { hostileBodies, hostileValues, type HostileCase } from '../case.js';

const chat = { method: 'POST', path: '/v1/chat/completions', scope: 'chat' } as const;

/** Requests that are translated piece by piece: 50,000 values of JSON are the most that is read. */
const translated = (count: number): HostileCase[] => {
  const times = (one: object): object[] => Array.from({ length: count }, () => one);
  const said = { role: 'user', content: 'a' };
  const bodies: Readonly<Record<string, object>> = {
    '/v1/messages': { model: 'fast', max_tokens: 5, messages: times(said) },
    '/v1/responses': { model: 'fast', input: times(said) },
    '/v1beta/models/fast:generateContent': { contents: [{ parts: times({ text: 'a' }) }] },
    '/api/chat': { model: 'fast', stream: false, messages: times(said) },
  };
  return Object.entries(bodies).map(([path, body]) => ({
    ...chat,
    name: `${count} pieces to translate`,
    path,
    headers: { 'content-type': 'application/json' },
    body: () => JSON.stringify(body),
  }));
};

export const cases: readonly HostileCase[] = [
  ...translated(16_000),
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
