/** Calls of models with names, parameters and memories that are hostile, presets, and what is told of usage. */
import type { HostileCase } from '../case.js';
import { call, JSON_HEADERS, many } from '../requests.js';

const said = (content: unknown, more: object = {}): object => ({
  model: 'fast',
  messages: [{ role: 'user', content }],
  ...more,
});
const chat = (name: string, body: (at: number) => unknown, more: Partial<HostileCase> = {}): HostileCase =>
  call(name, '/v1/chat/completions', 'chat', body, more);
const remembered = (
  name: string,
  body: (at: number) => unknown,
  more: Partial<HostileCase> = {},
): HostileCase => chat(name, body, { scope: 'chat memory', ...more });
const read = (name: string, path: string, scope: string, more: Partial<HostileCase> = {}): HostileCase => ({
  name,
  path,
  scope,
  ...more,
});
const preset = (name: string, body: (at: number) => object, more: Partial<HostileCase> = {}): HostileCase =>
  call(
    name,
    '/api/playground/presets',
    'presets',
    (at) => ({ name: 'a', endpoint: 'chat', model: 'fast', ...body(at) }),
    more,
  );

/** Fills the memories of the key that also chats. */
const REMEMBER = call(
  '',
  '/api/memory',
  'chat memory',
  (at) => ({ key: `chat ${at}`, content: `${at} the quick brown fox jumps `.repeat(400) }),
  { atOnce: 40 },
);

export const cases: readonly HostileCase[] = [
  chat('a model of 5 million letters', () => ({ ...said('a'), model: `up/${'m'.repeat(5_000_000)}` })),
  chat('a model that ends a header', () => ({ ...said('a'), model: 'up/a\r\nset-cookie: b=c' })),
  chat('a model of syllables', () => ({ ...said('a'), model: `up/${'한'.repeat(3_000)}` })),
  chat('100 models that nobody has', (at) => ({ ...said('a'), model: `up/${at}${'x'.repeat(50_000)}` }), {
    atOnce: 100,
  }),
  chat('a model of a prototype', () => ({ ...said('a'), model: '__proto__/constructor' })),
  chat('40,000 pictures', () =>
    said(many(12_000, () => ({ type: 'image_url', image_url: { url: 'data:,' } }))),
  ),
  chat('480 levels of tools', () => said('a', { tools: JSON.parse(`${'['.repeat(480)}${']'.repeat(480)}`) })),
  chat('options of a stream that are no options', () =>
    said('a', { stream: true, stream_options: { a: 1 } }),
  ),
  chat('content that is an object', () => said({ toString: 1, length: 1e9 })),
  call('numbers beyond all to embed', '/v1/embeddings', 'embeddings', () => ({
    model: 'fast',
    input: ['a'],
    dimensions: 1e308,
  })),
  call('40,000 lists of tokens to embed', '/v1/embeddings', 'embeddings', () => ({
    model: 'fast',
    input: many(40_000, () => [1]),
    encoding_format: 'base64',
  })),
  call('a ranking of 40,000 objects', '/v1/rerank', 'rerank', () => ({
    model: 'fast',
    query: 'a',
    documents: many(40_000, () => ({})),
    top_n: 1e308,
  })),
  { ...REMEMBER, name: '40 memories of a key that chats' },
  remembered('9 MB of words with memories', () => said('the quick brown fox '.repeat(450_000))),
  remembered('3 million syllables with memories', () => said('한글'.repeat(1_500_000))),
  remembered('150,000 words with memories', () => said(many(150_000, (at) => `w${at}`).join(' '))),
  remembered('letters that grow, with memories', () => said('\ufdfa'.repeat(2_000_000))),
  remembered('4,000 messages with memories', () => ({
    model: 'fast',
    messages: many(4_000, (at) => ({ role: at % 2 ? 'assistant' : 'user', content: `fox ${at}` })),
  })),
  remembered('12,000 parts with memories', () =>
    said(many(12_000, (at) => ({ type: 'text', text: `fox ${at}` }))),
  ),
  remembered('20 chats with memories at once', () => said('quick fox '.repeat(5_000)), { atOnce: 20 }),
  remembered('an end user of 10,000 letters', () => said('fox'), {
    headers: { ...JSON_HEADERS, 'x-plugboard-user': 'u'.repeat(10_000) },
  }),
  remembered('an end user that is an object', () => said('fox', { user: { $ne: null } })),
  read('calls of a day that is none', '/api/usage/calls?day=2026-02-31', 'usage'),
  read('calls of the first day', '/api/usage/calls?day=-271821-04-20', 'usage'),
  read('calls of the last day', '/api/usage/calls?day=%2B275760-09-13', 'usage'),
  read('calls of a model of 12,000 letters', `/api/usage/calls?model=${'m'.repeat(12_000)}`, 'usage'),
  read(
    'calls after a prototype',
    `/api/usage/calls?after=${Buffer.from('{"__proto__":1}').toString('base64url')}`,
    'usage',
  ),
  read('own calls after NUL', '/api/usage/own?after=%00&limit=1000', 'chat'),
  read('20 pages of calls at once', '/api/usage/calls?limit=1000&model=none', 'usage', { atOnce: 20 }),
  read('20 sums of usage at once', '/api/usage?group=key', 'usage', { atOnce: 20 }),
  read('100 lists of models at once', '/v1/models', 'chat', { atOnce: 100 }),
  read('a model of encoded slashes', `/v1/models/${'%2f'.repeat(4_000)}`, 'chat'),
  preset('a model of 0.9 million letters in a preset', () => ({ model: 'm'.repeat(900_000) })),
  preset('an endpoint of 0.9 million letters', () => ({ endpoint: 'e'.repeat(900_000) })),
  preset('40 presets of 0.9 MB', () => ({ params: { a: 'x'.repeat(900_000) } }), { atOnce: 40 }),
  preset('presets of 490 levels', () => ({
    params: JSON.parse(`${'{"a":'.repeat(490)}1${'}'.repeat(490)}`),
  })),
  preset('a preset of 9,000 parameters', () => ({
    params: Object.fromEntries(many(9_000, (at) => [`k${at}`, 1])),
  })),
  read('the list of presets', '/api/playground/presets', 'presets'),
  read('20 lists of presets', '/api/playground/presets', 'presets', { atOnce: 20 }),
  read('lists of presets that nobody reads', '/api/playground/presets', 'presets', {
    atOnce: 30,
    client: 'deaf',
    patience: 3_000,
  }),
  call('a prompt of braces to improve', '/api/playground/improve-prompt', 'improve', () => ({
    model: 'fast',
    prompt: '{{'.repeat(25_000),
    system: '<'.repeat(50_000),
  })),
  call(
    '20 prompts to improve',
    '/api/playground/improve-prompt',
    'improve',
    () => ({
      model: 'fast',
      prompt: '```\n'.repeat(12_000),
    }),
    { atOnce: 20 },
  ),
  call(
    'a preview of 20 members',
    '/api/memory/retrieve-preview',
    'chat memory',
    () => ({
      query: 'fox',
      metadata: Object.fromEntries(many(20, (at) => [`k${at}`, null])),
    }),
    { atOnce: 20 },
  ),
  call('a preview for nobody', '/api/memory/retrieve-preview', 'chat memory', () => ({
    query: 'fox',
    userId: '\u0000',
    sessionId: 's'.repeat(900_000),
  })),
  call('a preview of half a surrogate pair', '/api/memory/retrieve-preview', 'chat memory', () => ({
    query: '\ud800'.repeat(9_000),
  })),
  call('a memory that ends before it begins', '/api/memory', 'memory', () => ({
    key: 'ends',
    content: 'a',
    expiresAt: '0000-01-01T00:00:00Z',
  })),
  call('a memory of a time beyond all', '/api/memory', 'memory', () => ({
    key: 'ends',
    content: 'a',
    ttl: 1e308,
  })),
  call(
    '50 states of one memory at once',
    '/api/memory',
    'memory',
    (at) => ({
      key: 'one',
      content: `${at} fox `.repeat(5_000),
    }),
    { atOnce: 50 },
  ),
  call(
    '50 memories that are nearly alike',
    '/api/memory',
    'memory',
    (at) => ({
      key: `alike ${at}`,
      content: `${'the quick brown fox jumps over the lazy dog '.repeat(200)}${at}`,
    }),
    { atOnce: 50 },
  ),
  call('200 members of one member', '/api/memory', 'memory', () => ({
    key: 'members',
    content: 'a',
    metadata: Object.fromEntries(many(200, (at) => [`${'k'.repeat(190)}${at}`, 'v'.repeat(900)])),
  })),
  read('a list by 400 members', `/api/memory?${many(400, (at) => `metadata.k${at}=1`).join('&')}`, 'memory'),
  read('20 lists by a member', '/api/memory?metadata.k1=v&limit=200', 'memory', { atOnce: 20 }),
  read('a search of jamo', `/api/memory?q=${encodeURIComponent('ᄒ'.repeat(1_500))}`, 'memory'),
  read('20 searches of one letter', '/api/memory?q=a&limit=50', 'memory', { atOnce: 20 }),
  {
    ...read('20 indexings at once', '/api/memory/reindex', 'manage', { atOnce: 20 }),
    method: 'POST',
    headers: JSON_HEADERS,
    body: () => '{"force":true}',
  },
  call('20 summaries at once', '/api/memory/summarize', 'manage', () => ({ olderThanDays: 1 }), {
    atOnce: 20,
  }),
  call(
    'settings of a prototype',
    '/api/settings/memory',
    'manage',
    () => ({ constructor: { a: 1 }, strategy: '__proto__' }),
    { method: 'PUT' },
  ),
  call(
    'an external store at a path',
    '/api/settings/external-store',
    'manage',
    () => ({ enabled: true, host: `${'a.'.repeat(200_000)}b`, port: 1e308 }),
    { method: 'PUT' },
  ),
];
