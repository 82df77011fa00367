/** A plugin with guarded routes, a clock that tests move, and the calls that every auth test makes. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import type { TestContext } from 'node:test';
import type { LightMyRequestResponse } from 'fastify';
import {
  AUTH,
  definePlugin,
  Type,
  type Clock,
  type Credential,
  type GuardOptions,
  type Principal,
  type TokenVerifier,
} from 'plugboard/sdk';
import { bootTest, type BootTestOptions, type TestServer } from 'plugboard/testing';

export const ADMIN_PASSWORD = 'correct horse battery';

export interface GuardSpec extends GuardOptions {
  readonly accepts: Credential | readonly Credential[];
}

/** Serves GET and POST `/guarded/NAME` with each guard; the answer is the principal. */
export function guarded(
  guards: Readonly<Record<string, GuardSpec>>,
  verifier?: TokenVerifier,
  scopes: readonly string[] = ['x', 'y', 'data:read', 'data:write', 'repo'],
) {
  return definePlugin({
    name: 'guarded',
    api: 1,
    dialect: 'openai',
    config: Type.Object({}, { additionalProperties: false }),
    needs: { auth: AUTH },
    scopes: Object.fromEntries(scopes.map((scope) => [scope, `the scope ${scope}`])),
    setup({ needs: { auth }, onStop }) {
      if (verifier !== undefined) onStop(auth.registerVerifier(verifier));
      return {
        routes(app) {
          for (const [name, { accepts, ...options }] of Object.entries(guards)) {
            app.route({
              method: ['GET', 'POST'],
              url: `/guarded/${name}`,
              onRequest: auth.guard(accepts, options),
              handler: (request): Principal => auth.principal(request),
            });
          }
        },
      };
    },
  });
}

/** Starts at the real time, since the store's own expiry follows it or the real one. */
export class TestClock implements Clock {
  #now = Date.now();

  now(): number {
    return this.#now;
  }

  advance(milliseconds: number): void {
    this.#now += milliseconds;
  }
}

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

export function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

export function basic(login: string, password: string): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}` };
}

export function login(
  server: TestServer,
  password = ADMIN_PASSWORD,
  headers = {},
): Promise<LightMyRequestResponse> {
  return server.inject({ method: 'POST', url: '/api/auth/login', payload: { password }, headers });
}

/** The cookie of a new session, and its CSRF token. */
export async function beginSession(server: TestServer): Promise<{ cookie: string; csrfToken: string }> {
  const answer = await login(server);
  if (answer.statusCode !== 200) throw new Error(answer.body);
  const { csrfToken } = answer.json<{ csrfToken: string }>();
  return { cookie: String(answer.headers['set-cookie']).split(';')[0] ?? '', csrfToken };
}

/** Calls management with a new API key. */
export async function manager(server: TestServer) {
  const headers = bearer(await server.key());
  return (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) =>
    server.inject({ method, url, headers, ...(payload && { payload }) });
}

/** The outcome of a guarded route. */
export async function visit(
  server: TestServer,
  guard: string,
  headers: Record<string, string>,
  remoteAddress = '127.0.0.1',
): Promise<string> {
  // The embedded store shows one state for a whole turn of the event loop. Over a socket, a request that
  // follows an answer comes in a later turn; injected into another instance it may come in the same.
  await setImmediate();
  return outcome(await server.inject({ url: `/guarded/${guard}`, headers, remoteAddress }));
}

/** Gone when the test ends. */
export async function temporaryFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'plugboard-auth-'));
  t.after(() => rm(folder, { recursive: true }));
  return folder;
}

/** A server whose terminal is read: `shown()` is all that it printed. */
export async function startShown(
  options: BootTestOptions,
): Promise<{ server: TestServer; shown(): Promise<string> }> {
  const stdout = new PassThrough();
  const output = text(stdout);
  const server = await bootTest({ ...options, stdout });
  return { server, shown: () => (stdout.end(), output) };
}

/** What the first start has shown. */
export function credentialsIn(shown: string): { password: string; key: string } {
  const password = /admin password +(\S+)/.exec(shown)?.[1];
  const key = /first API key +(\S+)/.exec(shown)?.[1];
  if (password === undefined || key === undefined) throw new Error(`no credentials in ${shown}`);
  return { password, key };
}

/** `200 key`, `401 missing_credentials`: the status, and the kind of principal or the code of the error. */
export function outcome(answer: LightMyRequestResponse): string {
  const { kind, error } = answer.json<{ kind?: string; error?: { code: string } }>();
  return `${answer.statusCode} ${kind ?? error?.code ?? '?'}`;
}
