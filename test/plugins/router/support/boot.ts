/** The router on a real socket, with test upstreams. */
import { bootTest, type TestServer } from 'plugboard/testing';
import router from '../../../../plugins/router/index.js';
import { eventually } from '../../../support/eventually.js';
import { TestUpstream } from '../../../support/peers/upstream.js';

export interface RouterServer extends AsyncDisposable {
  readonly server: TestServer;
  readonly url: string;
  readonly key: string;
  readonly upstreams: readonly TestUpstream[];
  post(path: string, body: unknown, options?: { signal?: AbortSignal; key?: string }): Promise<Response>;
  get(path: string, key?: string): Promise<Response>;
  /** The usage records' sums, once there are `calls` of them. */
  usage(calls: number, group?: string): Promise<Usage>;
}

export interface Usage {
  readonly data: readonly ({ readonly name: string } & Sums)[];
  readonly total: Sums;
}

interface Sums {
  readonly calls: number;
  readonly errors: number;
  readonly tokensIn: number;
  readonly tokensOut: number;
  readonly tokensCached: number;
  readonly unmetered: number;
  readonly estimatedIn: number;
  readonly estimatedOut: number;
  readonly cost: number;
  readonly unpriced: number;
}

/** Upstreams a, b, ... each with model m and embedding-m; `config` is laid over. */
export async function bootRouter(
  names: readonly string[] = ['a'],
  config: object | ((upstreams: readonly TestUpstream[]) => object) = {},
  { plugins = [], ...options }: NonNullable<Parameters<typeof bootTest>[0]> = {},
): Promise<RouterServer> {
  const upstreams = await Promise.all(names.map((name) => TestUpstream.start(name)));
  const own = typeof config === 'function' ? config(upstreams) : config;
  const server = await bootTest({
    ...options,
    plugins: [
      {
        plugin: router,
        config: {
          upstreams: upstreams.map(({ name, url }) => ({ name, baseUrl: url, apiKey: `secret-of-${name}` })),
          ...own,
        },
      },
      ...plugins,
    ],
  });
  const url = await server.listen();
  const key = await server.key();
  const headers = (own: string): Record<string, string> => ({ authorization: `Bearer ${own}` });
  const get: RouterServer['get'] = (path, own = key) => fetch(url + path, { headers: headers(own) });
  return {
    server,
    url,
    key,
    upstreams,
    get,
    post: (path, body, options = {}) =>
      fetch(url + path, {
        method: 'POST',
        headers: { ...headers(options.key ?? key), 'content-type': 'application/json' },
        body: JSON.stringify(body),
        ...(options.signal && { signal: options.signal }),
      }),
    async usage(calls, group = 'model') {
      let usage: Usage | undefined;
      // The record of a stream is made when its last piece is out, which the client may see a moment before.
      await eventually(async () => {
        usage = (await (await get(`/api/usage?group=${group}`)).json()) as Usage;
        return usage.total.calls >= calls;
      }, `${calls} usage records`);
      return usage!;
    },
    async [Symbol.asyncDispose]() {
      await server.stop();
      await Promise.all(upstreams.map((upstream) => upstream.stop()));
    },
  };
}

export function chat(model: string, more: object = {}): object {
  return { model, messages: [{ role: 'user', content: 'hello' }], ...more };
}
