/** A server whose routes are limited, in each dialect, with a clock that the test moves. */
import type { TestServer } from 'plugboard/testing';
import { bootTest } from 'plugboard/testing';
import {
  AUTH,
  definePlugin,
  limited,
  RATE_LIMIT,
  Type,
  type DialectName,
  type RateLimitCategory,
} from 'plugboard/sdk';
import ratelimit from '../../../plugins/ratelimit/index.js';
import type { StoreConfig } from '../../support/stores.js';

export interface LimitedServer extends TestServer {
  /** What an API key may call. */
  readonly apiKey: string;
  readonly clock: { time: number; now(): number };
  /** Of the category `chat`, as its plugin has it. */
  readonly chat: () => RateLimitCategory;
}

/** `GET /github`, `/openai` and `/svc`, limited in `core`, `chat` and `data`; `/github?refund` gives its cost back. */
export async function limitedServer(config: object, storage?: StoreConfig): Promise<LimitedServer> {
  const clock = {
    time: Date.UTC(2026, 0, 1),
    now(): number {
      return this.time;
    },
  };
  let chat: RateLimitCategory | undefined;
  const probe = (dialect: DialectName, category: string) =>
    definePlugin({
      name: `probe-${dialect}`,
      api: 1,
      config: Type.Object({}, { additionalProperties: false }),
      needs: { auth: AUTH },
      wants: { limits: RATE_LIMIT },
      dialect,
      setup({ needs: { auth }, wants: { limits } }) {
        const limit = limits?.category(category);
        if (category === 'chat') chat = limit;
        const guard = auth.guard(['bearer', 'basicUser', 'basicApp'], { optional: true });
        return {
          routes: (app) => {
            app.all<{ Querystring: { refund?: string } }>(
              `/${dialect}`,
              { ...limited(guard, limit) },
              (request, reply) => {
                if (request.query.refund !== undefined) limit?.refund(request, reply);
                return { ok: true };
              },
            );
          },
        };
      },
    });
  const server = await bootTest({
    ...(storage && { storage }),
    clock,
    plugins: [
      { plugin: ratelimit, config },
      { plugin: probe('github', 'core') },
      { plugin: probe('openai', 'chat') },
      { plugin: probe('svc', 'data') },
    ],
  });
  return {
    ...server,
    clock,
    apiKey: await server.key('*'),
    chat: () => {
      if (chat === undefined) throw new Error('no limiter was given to the probe');
      return chat;
    },
  };
}

export interface Shown {
  readonly status: number;
  readonly limit: number;
  readonly remaining: number;
  readonly used: number;
  readonly reset: number;
  readonly resource: string;
  readonly body: unknown;
}

/** A request's status and what its `x-ratelimit-*` headers say. */
export async function show(
  server: TestServer,
  url: string,
  headers: Record<string, string> = {},
  remoteAddress = '127.0.0.1',
): Promise<Shown> {
  const answer = await server.inject({ method: 'GET', url, headers, remoteAddress });
  const number = (name: string): number => Number(answer.headers[`x-ratelimit-${name}`]);
  return {
    status: answer.statusCode,
    limit: number('limit'),
    remaining: number('remaining'),
    used: number('used'),
    reset: number('reset'),
    resource: String(answer.headers['x-ratelimit-resource']),
    body: answer.body === '' ? undefined : JSON.parse(answer.body),
  };
}
