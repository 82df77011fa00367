/** A server with the changes plugin, and one that notes changes. */
import assert from 'node:assert/strict';
import { CHANGES, STORAGE, type Changes, type Storage } from 'plugboard/sdk';
import { bootTest, type BootTestOptions, type TestServer } from 'plugboard/testing';
import changes from '../../../plugins/changes/index.js';

export interface ChangesServer extends AsyncDisposable {
  readonly server: TestServer;
  readonly changes: Changes;
  readonly storage: Storage;
  call(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body?: object,
  ): Promise<{ status: number; body: Answer }>;
  endpoint(url: string, types?: string[]): Promise<{ id: string; secret: string }>;
  /** Notes change `n` of a subject, which commits. */
  note(subject: string, n: number, type?: string): Promise<void>;
  deliveries(state?: string): Promise<readonly ListedDelivery[]>;
}

export interface ListedDelivery {
  readonly id: string;
  readonly subject: string;
  readonly state: string;
  readonly attempts: number;
  readonly last: {
    readonly at: string;
    readonly status: number | null;
    readonly error: string | null;
  } | null;
}

type Answer = Record<string, unknown>;

export async function changesServer(
  options: BootTestOptions = {},
  config: object = {},
): Promise<ChangesServer> {
  const server = await bootTest({
    ...options,
    plugins: [
      ...(options.plugins ?? []),
      { plugin: changes, config: { poll: 10, allowPrivate: true, ...config } },
    ],
  });
  const authorization = `Bearer ${await server.key('changes')}`;
  const [noted, storage] = [server.service(CHANGES, 'noter'), server.service(STORAGE, 'noter')];
  const call: ChangesServer['call'] = async (method, path, body) => {
    const answer = await server.inject({
      method,
      url: `/api/changes${path}`,
      headers: { authorization, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { payload: JSON.stringify(body) }),
    });
    return { status: answer.statusCode, body: answer.body === '' ? {} : answer.json<Answer>() };
  };
  return {
    server,
    changes: noted,
    storage,
    call,
    endpoint: async (url, types = ['*']) => {
      const { status, body } = await call('POST', '/endpoints', { url, types });
      assert.equal(status, 201, JSON.stringify(body));
      return body as { id: string; secret: string };
    },
    note: (subject, n, type = 'thing.changed') =>
      storage.transaction((tx) => noted.record(tx, { type, subject, data: { n } })),
    deliveries: async (state) => {
      const { body } = await call('GET', `/deliveries${state === undefined ? '' : `?state=${state}`}`);
      return body['deliveries'] as ListedDelivery[];
    },
    [Symbol.asyncDispose]: () => server.stop(),
  };
}
