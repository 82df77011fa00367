/** Requests against the activity feeds and their management. */
import { hostileBodies, hostileValues, type HostileCase } from '../case.js';

const publish = { method: 'POST', path: '/api/events', scope: 'events:write' } as const;
const directory = { method: 'POST', path: '/api/events/directory', scope: 'events:write' } as const;
const json = { 'content-type': 'application/json' } as const;

const event = (more: object): object => ({
  type: 'PushEvent',
  actor: { login: 'mara' },
  repo: { name: 'harbor-labs/tides' },
  ...more,
});

const body = (name: string, path: string, value: () => unknown): HostileCase => ({
  name,
  method: 'POST',
  path,
  scope: 'events:write',
  headers: json,
  body: () => JSON.stringify(value()),
});

export const cases: readonly HostileCase[] = [
  ...hostileBodies(publish.method, publish.path, publish.scope),
  ...hostileValues(publish, {}, 'events'),
  ...hostileValues(directory, {}, 'put'),
  body('1,000 events', publish.path, () => ({ events: Array.from({ length: 1_000 }, () => event({})) })),
  body('100,000 events', publish.path, () => ({ events: Array.from({ length: 100_000 }, () => ({})) })),
  body('a payload of 200,000 members', publish.path, () => ({
    events: [
      event({ payload: Object.fromEntries(Array.from({ length: 200_000 }, (_, at) => [`m${at}`, at])) }),
    ],
  })),
  body('a login of 0.9 million letters', publish.path, () => ({
    events: [event({ actor: { login: 'a'.repeat(900_000) } })],
  })),
  body('a name of 0.9 million slashes', publish.path, () => ({
    events: [event({ repo: { name: '/'.repeat(900_000) } })],
  })),
  body('a time of 0.9 million digits', publish.path, () => ({
    events: [event({ created_at: `2026-01-01T00:00:00.${'0'.repeat(900_000)}Z` })],
  })),
  body('1,000 users and a fork of itself', directory.path, () => ({
    put: {
      users: Array.from({ length: 999 }, (_, at) => ({ id: 900_000 + at, login: `hostile-${at}` })),
      repositories: [{ id: 990_000, name: 'hostile-0/x', parent: 'hostile-0/x' }],
    },
  })),
  body('a user who follows 1,000 users', directory.path, () => ({
    put: { follows: Array.from({ length: 1_000 }, () => ({ user: 'mara', follows: 'jonas' })) },
  })),
  { name: 'a page beyond all numbers', path: `/events?page=${'9'.repeat(7_000)}` },
  { name: 'many pages', path: `/events?${'page=2&'.repeat(900)}` },
  { name: 'a tag that never ends', path: '/events', headers: { 'if-none-match': `"${'a'.repeat(12_000)}` } },
  { name: 'thousands of tags', path: '/events', headers: { 'if-none-match': '"a",'.repeat(3_000) } },
  { name: 'a host that ends the address', path: '/events', headers: { host: '127.0.0.1">;x' } },
  { name: 'a login that is a path', path: '/users/..%2f..%2f/events' },
  { name: 'a login that is not UTF-8', path: '/users/%ff%fe/events' },
  { name: 'a login of 1,000 letters', path: `/users/${'a'.repeat(1_000)}/events` },
  { name: 'a repository named like a prototype', path: '/repos/__proto__/constructor/events' },
  {
    name: 'a part of the directory that is none',
    path: '/api/events/directory/__proto__',
    scope: 'events:write',
  },
];
