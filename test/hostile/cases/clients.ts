/** Clients that send slowly, read nothing or go away, at the longest answers and the bodies of each service. */
import type { HostileCase } from '../case.js';

const JSON_TYPE = { 'content-type': 'application/json' };
const WORDS = 'the quick brown fox jumps over the lazy dog';
/** Those that five clients write are other ones; more clients write them again. */
const rows = (client: number): string => {
  const from = 1_100_000 + (client % 5) * 2_000;
  return JSON.stringify(
    Array.from({ length: 2_000 }, (_, at) => ({ id: from + at, title: `${WORDS} ${at}` })),
  );
};

/** Bodies that a byte at a time takes days. */
const SLOW: readonly Pick<HostileCase, 'path' | 'scope' | 'as' | 'method'>[] = [
  { path: '/api/auth/login' },
  { path: '/no/such/route' },
  { path: '/data/films', scope: 'data:write' },
  { path: '/v1/chat/completions', scope: 'chat' },
  { path: '/api/memory', scope: 'memory' },
  { path: '/api/v1/audio/speech', scope: 'speech' },
  { path: '/v2/core/accounts', scope: 'accounts' },
  { path: '/api/events', scope: 'events:write' },
  { path: '/authorizations', as: 'user' },
];

/** Long answers. */
const LONG: readonly (Partial<HostileCase> & { name: string; path: string })[] = [
  { name: 'all films', path: '/data/films', scope: 'data:read' },
  {
    name: 'all films as CSV',
    path: '/data/films',
    scope: 'data:read',
    headers: { accept: 'text/csv', prefer: 'count=exact' },
  },
  {
    name: 'films within films',
    path: '/data/competitions?select=id,nominations(id,competitions(id,nominations(id)))',
    scope: 'data:read',
  },
  { name: 'the description of all operations', path: '/-/openapi.json', scope: 'manage' },
  { name: 'a page of memories', path: '/api/memory?limit=200', scope: 'memory' },
  { name: 'a page of events', path: '/events?per_page=100' },
  {
    name: 'a stream of a chat',
    path: '/v1/chat/completions',
    scope: 'chat',
    method: 'POST',
    headers: JSON_TYPE,
    body: () => JSON.stringify({ model: 'fast', stream: true, messages: [{ role: 'user', content: 'a' }] }),
  },
  {
    name: 'spoken words',
    path: '/api/v1/audio/speech',
    scope: 'speech',
    method: 'POST',
    headers: JSON_TYPE,
    body: () => JSON.stringify({ voice: 'sera', input: '안녕하세요. 반갑습니다.' }),
  },
  {
    name: 'rows that are written and sent back',
    path: '/data/films',
    scope: 'data:write',
    method: 'POST',
    headers: { ...JSON_TYPE, prefer: 'return=representation,resolution=merge-duplicates' },
    body: rows,
  },
];

export const cases: readonly HostileCase[] = [
  ...SLOW.map((route): HostileCase => ({
    ...route,
    name: 'a byte a second',
    method: 'POST',
    headers: JSON_TYPE,
    body: rows,
    client: 'slow',
    atOnce: 10,
  })),
  {
    name: 'a head that never ends',
    path: '/-/live',
    method: 'GET',
    client: 'silent',
    atOnce: 50,
  },
  ...(['deaf', 'gone'] as const).flatMap((client) =>
    LONG.map(({ name, ...each }): HostileCase => ({
      ...each,
      name: `${client === 'deaf' ? 'nobody reads' : 'nobody waits for'} ${name}`,
      client,
      atOnce: each.path.includes('audio') ? 2 : 10,
    })),
  ),
];
