/** A server with users, applications and routes that tokens open. */
import { bootTest, type AnyPlugin, type TestServer } from 'plugboard/testing';
import { AUTH, definePlugin, Type } from 'plugboard/sdk';
import authorizations from '../../../plugins/authorizations/index.js';
import type { StoreConfig } from '../../support/stores.js';

export interface App {
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface Answer<T = Record<string, unknown>> {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly body: T;
}

export interface AuthorizationServer extends TestServer {
  readonly clock: { time: number; now(): number };
  readonly bot: App;
  readonly otherApp: App;
  call<T = Record<string, unknown>>(
    method: string,
    url: string,
    credential: string | undefined,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer<T>>;
}

export const PASSWORD = 'correct: hörse';

export function basic(name: string, secret: string): string {
  return `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`;
}

export const ANN = basic('ann', PASSWORD);
export const BEN = basic('ben', PASSWORD);

/** `GET /mine` takes tokens; `GET /gists` takes those with the scope `gist`. */
const probe = definePlugin({
  name: 'probe',
  api: 1,
  config: Type.Object({}, { additionalProperties: false }),
  needs: { auth: AUTH },
  scopes: { gist: 'read gists' },
  dialect: 'github',
  setup: ({ needs: { auth } }) => ({
    routes: (app) => {
      app.get('/mine', { onRequest: auth.guard(['token']) }, (request) => auth.principal(request));
      app.get('/gists', { onRequest: auth.guard(['token'], { scope: 'gist' }) }, () => ({ ok: true }));
    },
  }),
});

export async function authorizationServer(
  options: {
    storage?: StoreConfig;
    config?: object;
    plugins?: { plugin: AnyPlugin; config?: object }[];
  } = {},
): Promise<AuthorizationServer> {
  const clock = {
    time: Date.UTC(2026, 0, 1),
    now(): number {
      return this.time;
    },
  };
  const server = await bootTest({
    clock,
    // As on a public address, where a Host header may be anything.
    server: { allowedHosts: ['*'] },
    ...(options.storage && { storage: options.storage }),
    plugins: [
      { plugin: authorizations, config: options.config ?? {} },
      { plugin: probe },
      ...(options.plugins ?? []),
    ],
  });
  for (const login of ['ann', 'ben'])
    await server.command(['users', 'create', login, '--password-stdin'], `${PASSWORD}\n`);
  const makeApp = async (name: string): Promise<App> => {
    const { stdout } = await server.command(['apps', 'create', name, '--url', 'https://a.example', '--json']);
    return JSON.parse(stdout) as App;
  };
  return {
    ...server,
    clock,
    bot: await makeApp('Bot'),
    otherApp: await makeApp('Other'),
    async call<T>(
      method: string,
      url: string,
      credential: string | undefined,
      body?: unknown,
      headers: Record<string, string> = {},
    ): Promise<Answer<T>> {
      const answer = await server.inject({
        method: method as 'GET',
        url,
        headers: {
          host: 'localhost',
          ...(credential !== undefined && { authorization: credential }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const parsed = answer.body === '' ? undefined : (JSON.parse(answer.body) as unknown);
      return { status: answer.statusCode, headers: answer.headers, body: parsed as T };
    },
  };
}
