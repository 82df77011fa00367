/** A caller of every kind, with what the OpenAPI document says that each operation answers it. */
import assert from 'node:assert/strict';
import type { TestServer } from 'plugboard/testing';
import { AUDIENCE, ISSUER, signed, type SigningKey } from '../support/peers/token-issuer.js';
import type { Operation } from './operations.js';

/** `yes`: the guard lets the caller in, whatever the operation answers then. */
export type Outcome = 'yes' | 401 | 403;

export interface Caller {
  readonly headers: Readonly<Record<string, string>>;
  expects(operation: Operation): Outcome;
}

const PASSWORD = 'ann climbs seven quiet hills';
const OF_PEOPLE = ['memory', 'presets', 'run', 'chat', 'data:read'];
const OF_MEMBERS = ['memory', 'events:write'];

/** Members and viewers get here what is their own. */
const THEIR_OWN: ReadonlySet<string> = new Set([
  'GET /api/keys',
  'POST /api/keys',
  'GET /api/keys/{id}',
  'DELETE /api/keys/{id}',
  'POST /api/keys/{id}/rotate',
  'DELETE /api/keys/{id}/previous',
  'GET /api/auth/sessions',
  'DELETE /api/auth/sessions/{id}',
  'POST /api/auth/password',
  'GET /console/pages',
]);

/** Change nothing though they are no GET: a viewer may call them. */
const READING: ReadonlySet<string> = new Set([
  'POST /api/memory/retrieve-preview',
  'POST /api/settings/external-store/search',
  'POST /api/v1/audio/speech/explain',
  'POST /data/rpc/films_between',
  'POST /api/show',
  'POST /v1/messages/count_tokens',
  'POST /api/v1/messages/count_tokens',
]);

/** `providers.auth`: two identity providers with the keys of `jwks`, each the tenant of its people. */
export function authOf(jwks: string): Readonly<Record<string, unknown>> {
  const issuer = { audience: AUDIENCE, jwks, algorithms: ['ES256'], roles: { authenticated: OF_PEOPLE } };
  return {
    adminPassword: PASSWORD,
    memberScopes: OF_MEMBERS,
    issuers: [
      { ...issuer, name: 'app', issuer: ISSUER },
      { ...issuer, name: 'other', issuer: 'https://other.example' },
    ],
  };
}

/** By kind; a scope means a key with that scope alone. The expired key expires within a minute. */
export async function callersOf(
  server: TestServer,
  operations: readonly Operation[],
  issuer: SigningKey,
): Promise<Record<string, Caller>> {
  const scopes = [...new Set(operations.flatMap(({ byKey }) => byKey.flat()))].toSorted();
  const keys = scopes.map(async (scope) => [scope, ofKey(await server.key(scope), [scope])] as const);
  const { key: bare } = await newKey(server);
  const { key: expired } = await newKey(server, '--scope', '*', '--expires', '1m');
  const { key: revoked, id } = await newKey(server, '--scope', '*');
  assert.equal((await server.command(['keys', 'revoke', id])).code, 0);
  const { ann, eve, nobody } = await tokensOf(issuer);
  return {
    none: { headers: {}, expects: (operation) => (isOpen(operation) ? 'yes' : 401) },
    revoked: refused(revoked),
    expired: refused(expired),
    unscoped: ofKey(bare, []),
    '*': ofKey(await server.key('*'), scopes),
    ...Object.fromEntries(await Promise.all(keys)),
    person: ofKey(ann, OF_PEOPLE),
    'person of another tenant': ofKey(eve, OF_PEOPLE),
    'person without a role': ofKey(nobody, []),
    viewer: {
      headers: await login(server, 'viewer'),
      expects: bySession(
        ({ method, name }) =>
          method === 'GET' || method === 'HEAD' || THEIR_OWN.has(name) || READING.has(name),
      ),
    },
    member: {
      headers: await login(server, 'member'),
      expects: bySession((operation) => holds(operation, OF_MEMBERS) || THEIR_OWN.has(operation.name)),
    },
    administrator: { headers: await login(server, 'admin'), expects: bySession(() => true) },
  };
}

/** Tokens of two people with the same `sub` and role in two tenants, and of one without a role. */
export async function tokensOf(issuer: SigningKey): Promise<Record<'ann' | 'eve' | 'nobody', string>> {
  const role = 'authenticated';
  return {
    ann: await signed(issuer, { role }),
    eve: await signed(issuer, { role, iss: 'https://other.example' }),
    nobody: await signed(issuer, { sub: 'nobody' }),
  };
}

export const bearer = (token: string): { authorization: string } => ({ authorization: `Bearer ${token}` });

const isOpen = ({ guarded, optional }: Operation): boolean => !guarded || optional;

const holds = ({ byKey }: Operation, held: readonly string[]): boolean =>
  byKey.some((scopes) => scopes.length === 0 || scopes.some((scope) => held.includes(scope)));

/** A bad key is refused also where none is needed. Where Basic alone is taken any key is 403, as GitHub answers it. */
const refused = (key: string): Caller => ({
  headers: bearer(key),
  expects({ guarded, byKey }) {
    if (!guarded) return 'yes';
    return byKey.length > 0 ? 401 : 403;
  },
});

/** A person's token is answered as a key with the same scopes: it never holds `manage`. */
const ofKey = (key: string, held: readonly string[]): Caller => ({
  headers: bearer(key),
  expects: (operation) => (!operation.guarded || holds(operation, held) ? 'yes' : 403),
});

/** Where no session is taken, the cookie counts as no credential. */
const bySession =
  (may: (operation: Operation) => boolean): Caller['expects'] =>
  (operation) => {
    if (isOpen(operation)) return 'yes';
    if (!operation.bySession) return 401;
    return may(operation) ? 'yes' : 403;
  };

async function newKey(server: TestServer, ...options: string[]): Promise<{ id: string; key: string }> {
  const made = await server.command(['keys', 'create', 'test', '--json', ...options]);
  assert.equal(made.code, 0, made.stderr);
  return JSON.parse(made.stdout) as { id: string; key: string };
}

/** The headers of a session of one who has this access. */
async function login(server: TestServer, access: string): Promise<Record<string, string>> {
  const words = ['users', 'create', access, '--access', access, '--password-stdin'];
  if (access !== 'admin') assert.equal((await server.command(words, PASSWORD)).code, 0);
  const payload = { login: access, password: PASSWORD };
  const answer = await server.inject({ method: 'POST', url: '/api/auth/login', payload });
  assert.equal(answer.statusCode, 200, answer.body);
  const cookie = String(answer.headers['set-cookie']).split(';')[0] ?? '';
  return { cookie, 'x-csrf-token': answer.json<{ csrfToken: string }>().csrfToken };
}
