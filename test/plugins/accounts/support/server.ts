/** A server of accounts, and ways to talk to it. */
import { Stripe } from 'stripe';
import type { BootTestOptions, TestServer } from 'plugboard/testing';
import { bootTest } from 'plugboard/testing';
import accounts from '../../../../plugins/accounts/index.js';

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Body;
}

export interface Body {
  readonly id: string;
  readonly error?: ErrorBody;
  readonly [member: string]: unknown;
}

export interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly [member: string]: unknown;
}

export interface AccountsServer extends TestServer {
  /** With a key that may do everything, unless `headers` bring another. */
  call(method: Method, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  /** The official client, over a real socket. */
  stripe(key?: string, config?: object): Promise<Stripe>;
  /** The key of the calls. */
  readonly apiKey: string;
}

type Method = 'GET' | 'POST' | 'DELETE';

/** `config` is that of the plugin. */
export async function bootAccounts(
  config: object = {},
  {
    beside = [],
    ...options
  }: Omit<BootTestOptions, 'plugins'> & { beside?: BootTestOptions['plugins'] } = {},
): Promise<AccountsServer> {
  const server = await bootTest({ ...options, plugins: [{ plugin: accounts, config }, ...beside] });
  const key = await server.key('accounts', 'accounts:test');
  let listening: Promise<string> | undefined;
  const listen = (): Promise<string> => (listening ??= server.listen());
  return {
    ...server,
    listen,
    apiKey: key,
    call: async (method, path, body, headers = {}) => {
      const answer = await server.inject({
        method,
        url: path,
        headers: {
          authorization: `Bearer ${key}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      return { status: answer.statusCode, headers: answer.headers, body: answer.json<Body>() };
    },
    stripe: async (own = key, config = {}) => {
      const url = new URL(await listen());
      return new Stripe(own, { host: url.hostname, port: Number(url.port), protocol: 'http', ...config });
    },
    [Symbol.asyncDispose]: () => server.stop(),
  };
}
