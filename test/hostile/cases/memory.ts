/** Requests against memories, their search and their settings. */
import { hostileBodies, hostileValues, type HostileCase } from '../case.js';

const memory = { method: 'POST', path: '/api/memory', scope: 'memory' } as const;
const preview = { method: 'POST', path: '/api/memory/retrieve-preview', scope: 'memory' } as const;
const list = (name: string, query: string): HostileCase => ({
  name,
  path: `/api/memory?${query}`,
  scope: 'memory',
});

export const cases: readonly HostileCase[] = [
  ...hostileBodies(memory.method, memory.path, memory.scope),
  ...hostileValues(memory, { key: 'a' }, 'content'),
  ...hostileValues(memory, { content: 'a' }, 'key'),
  ...hostileValues(memory, { key: 'a', content: 'a' }, 'metadata'),
  ...hostileValues(preview, {}, 'query'),
  {
    name: '7,000 different words',
    ...memory,
    headers: { 'content-type': 'application/json' },
    body: () =>
      JSON.stringify({ key: 'words', content: Array.from({ length: 7_000 }, (_, at) => `w${at}`).join(' ') }),
  },
  list('a page beyond all numbers', 'page=9007199254740991&limit=200'),
  list('a search of 7,000 letters', `q=${'a '.repeat(3_500)}`),
  list('a search of operators', `q=${encodeURIComponent('"(*)-+^~:'.repeat(400))}`),
  list('a search of syllables', `q=${encodeURIComponent('가'.repeat(1_000))}`),
];
