/** Chats, embeddings and rankings that reach a model, and what keeps their memories. */
import type { HostileCase } from '../case.js';
import { JSON_HEADERS, many } from '../requests.js';

const call = (
  name: string,
  path: string,
  scope: string,
  body: (at: number) => string,
  atOnce = 1,
): HostileCase => ({
  name,
  method: 'POST',
  path,
  scope,
  headers: JSON_HEADERS,
  body,
  atOnce,
});
const chat = (name: string, content: () => unknown, more: object = {}): HostileCase =>
  call(name, '/v1/chat/completions', 'chat', () =>
    JSON.stringify({ model: 'fast', messages: [{ role: 'user', content: content() }], ...more }),
  );

/** Counts the times that the pages are written: a text that is there already would not be written again. */
let writes = 0;
const letters = (at: number): string =>
  Array.from(String(at), (digit) => String.fromCharCode(97 + Number(digit))).join('');

/** Texts that are dear to split into words, to normalise or to compare. */
const TEXTS: Readonly<Record<string, () => string>> = {
  '150,000 words': () => many(150_000, (at) => `w${at}`).join(' '),
  'one word': () => 'a'.repeat(900_000),
  'joined emoji': () => '👩‍👩‍👧‍👦'.repeat(30_000),
  'letters that grow when they are normalised': () => '\ufdfa'.repeat(290_000),
  'combining marks': () => 'a\u0301\u0302\u0303'.repeat(120_000),
  'jamo that never join': () => 'ᄒ'.repeat(290_000),
  'a script without blanks': () => 'ก'.repeat(290_000),
  ideographs: () => '漢字'.repeat(140_000),
  punctuation: () => '.,;:!?'.repeat(150_000),
  digits: () => '1234567890'.repeat(90_000),
  addresses: () => 'http://a.b/c?d=e&'.repeat(50_000),
  'a letter that grows in lower case': () => 'İ'.repeat(400_000),
  hyphens: () => 'a-'.repeat(440_000),
};

export const cases: readonly HostileCase[] = [
  chat('9 MB of words', () => 'the quick brown fox '.repeat(450_000)),
  chat('9 MB of one word', () => 'a'.repeat(9_000_000)),
  chat('3 million syllables', () => '한글'.repeat(1_500_000)),
  chat('15,000 parts', () => many(15_000, () => 'a').map((part) => ({ type: 'text', text: part }))),
  chat('a stream that the model does not give', () => 'a b c '.repeat(200_000), { stream: true }),
  chat('a user of 0.9 million letters', () => 'a', { user: 'u'.repeat(900_000) }),
  call('20,000 messages', '/v1/chat/completions', 'chat', () =>
    JSON.stringify({
      model: 'fast',
      messages: many(20_000, (at) => `m ${at}`).map((content) => ({ role: 'user', content })),
    }),
  ),
  call(
    'a seed of 5 million digits',
    '/v1/chat/completions',
    'chat',
    () => `{"model":"fast","messages":[{"role":"user","content":"a"}],"seed":${'9'.repeat(1_900_000)}}`,
  ),
  call(
    '40,000 models',
    '/v1/chat/completions',
    'chat',
    () => `{${'"model":"fast",'.repeat(40_000)}"messages":[{"role":"user","content":"a"}]}`,
  ),
  call(
    '400,000 tokens to embed',
    '/v1/embeddings',
    'embeddings',
    () => `{"model":"fast","input":[${'1,'.repeat(400_000)}1]}`,
  ),
  call('40,000 documents to rank', '/v1/rerank', 'rerank', () =>
    JSON.stringify({ model: 'fast', query: 'a', documents: many(40_000, () => 'a') }),
  ),
  call(
    '10 chats of 9 MB at once',
    '/v1/chat/completions',
    'chat',
    () =>
      JSON.stringify({
        model: 'fast',
        messages: [{ role: 'user', content: 'the quick brown fox '.repeat(450_000) }],
      }),
    10,
  ),
  ...Object.entries(TEXTS).flatMap(([name, value]): HostileCase[] => [
    call(`to remember: ${name}`, '/api/memory', 'memory', () =>
      JSON.stringify({ key: name, content: value() }),
    ),
    call(`10,000 characters to remember: ${name}`, '/api/memory', 'memory', () =>
      JSON.stringify({ key: `short ${name}`, content: value().slice(0, 10_000) }),
    ),
    call(`100,000 characters to remember: ${name}`, '/api/memory', 'memory', () =>
      JSON.stringify({ key: `long ${name}`, content: value().slice(0, 100_000) }),
    ),
    call(`to be reminded of: ${name}`, '/api/memory/retrieve-preview', 'memory', () =>
      JSON.stringify({ query: value().slice(0, 10_000) }),
    ),
  ]),
  call(
    '20 previews at once',
    '/api/memory/retrieve-preview',
    'memory',
    () => JSON.stringify({ query: 'quick fox '.repeat(1_000) }),
    20,
  ),
  // The same keys each time, as many as they are: pages of them are long.
  ...many(4, (part) =>
    call(
      `50 memories of 100,000 characters, ${part}`,
      '/api/memory',
      'memory',
      (at) =>
        JSON.stringify({
          key: `page ${part} ${at}`,
          content: `${(writes += 1)} ${'한국어 문장 '.repeat(14_000)}`.slice(0, 100_000),
        }),
      50,
    ),
  ),
  { name: 'a page of long memories', path: '/api/memory?limit=200', scope: 'memory' },
  { name: '20 pages of long memories', path: '/api/memory?limit=50', scope: 'memory', atOnce: 20 },
  {
    name: 'pages of long memories that nobody reads',
    path: '/api/memory?limit=50',
    scope: 'memory',
    atOnce: 60,
    client: 'deaf',
    patience: 8_000,
  },
  {
    name: 'a search in long memories',
    path: `/api/memory?q=${encodeURIComponent('문장')}&limit=200`,
    scope: 'memory',
  },
  call('words of one end to remember', '/api/memory', 'memory', () =>
    JSON.stringify({
      key: 'ends',
      content: `das ist nicht der und die ${many(6_000, (at) => `${letters(at)}stelle`).join(' ')}`,
    }),
  ),
  call('words of one end to be reminded of', '/api/memory/retrieve-preview', 'memory', () =>
    JSON.stringify({
      query: `das ist nicht ${many(900, (at) => `${letters(at)}telle`).join(' ')}`.slice(0, 10_000),
    }),
  ),
  call('a name of 50,000 parts', '/api/memory', 'memory', () =>
    JSON.stringify({ key: 'parts', content: 'aB'.repeat(50_000) }),
  ),
  call('9,000 metadata', '/api/memory', 'memory', () =>
    JSON.stringify({
      key: 'm',
      content: 'a',
      metadata: Object.fromEntries(many(9_000, (at) => `k${at}`).map((key) => [key, 1])),
    }),
  ),
  call('1,000 metadata', '/api/memory', 'memory', () =>
    JSON.stringify({
      key: 'm1',
      content: 'a',
      metadata: Object.fromEntries(many(1_000, (at) => `k${at}`).map((key) => [key, 1])),
    }),
  ),
  call(
    '490 levels of metadata',
    '/api/memory',
    'memory',
    () => `{"key":"d","content":"a","metadata":${'{"a":'.repeat(490)}1${'}'.repeat(490)}}`,
  ),
  call('metadata with names of paths', '/api/memory', 'memory', () =>
    JSON.stringify({ key: 'p', content: 'a', metadata: { 'a.b.c': 1, $where: 1, '': 1 } }),
  ),
  ...[
    'metadata[__proto__]=1',
    `metadata[${'a'.repeat(9_000)}]=1`,
    `cursor=${Buffer.from('[1e400,"a"]').toString('base64url')}`,
    `cursor=${Buffer.from('["a",{"$gt":""}]').toString('base64url')}`,
    `cursor=${Buffer.from('['.repeat(5_000)).toString('base64url')}`,
    'offset=1e308',
    'page=9007199254740991',
    `sessionId=${'a'.repeat(9_000)}`,
    Array.from({ length: 500 }, (_, at) => `metadata[k${at}]=1`).join('&'),
  ].map((query): HostileCase => ({
    name: `a list by ${query.slice(0, 30)}`,
    path: `/api/memory?${query}`,
    scope: 'memory',
  })),
];
