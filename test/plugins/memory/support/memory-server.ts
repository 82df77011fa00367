/** A server with memory alone, and a caller who may manage it. */
import { MODELS, type Clock } from 'plugboard/sdk';
import { bootTest, fake, type BootTestOptions, type LogLines, type TestServer } from 'plugboard/testing';
import memory from '../../../../plugins/memory/index.js';
import { eventually } from '../../../support/eventually.js';
import type { StoreConfig } from '../../../support/stores.js';
import type { FakeModels } from './models.js';

export interface MemoryServer extends AsyncDisposable {
  readonly server: TestServer;
  call<T = Answer>(method: Method, path: string, body?: unknown): Promise<{ status: number; body: T }>;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
/** JSON of any shape, for assertions. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Answer = any;

export interface MemoryServerOptions {
  /** Default: the embedded store in a temporary folder. */
  readonly storage?: StoreConfig;
  readonly models?: FakeModels;
  readonly config?: object;
  readonly clock?: Clock;
  readonly log?: LogLines;
  readonly plugins?: BootTestOptions['plugins'];
}

const SEAL_KEY = Buffer.alloc(32, 7).toString('base64');

export async function memoryServer({
  storage,
  models,
  config,
  clock,
  log,
  plugins = [],
}: MemoryServerOptions = {}): Promise<MemoryServer> {
  const server = await bootTest({
    plugins: [...plugins, { plugin: memory, ...(config && { config }) }],
    ...(storage && { storage }),
    secrets: { keys: [SEAL_KEY] },
    provide: models === undefined ? [] : [fake(MODELS, models)],
    ...(clock && { clock }),
    ...(log && { log }),
  });
  const authorization = `Bearer ${await server.key('manage')}`;
  return {
    server,
    async call(method, path, body) {
      const payload = body === undefined ? {} : { payload: body as object };
      const answer = await server.inject({ method, url: path, headers: { authorization }, ...payload });
      return { status: answer.statusCode, body: answer.json() };
    },
    [Symbol.asyncDispose]: () => server.stop(),
  };
}

/** Resolves when no entry waits for its vector, in the store and in the index that follows it. */
export async function settled({ call }: MemoryServer): Promise<void> {
  await eventually(async () => {
    const { data } = (await call('GET', '/api/memory?limit=200')).body;
    const stored = data.every(({ needsReindex }: Answer) => needsReindex === 0);
    return stored && (await call('GET', '/api/memory/engine-status')).body.vectorStore.needsReindex === 0;
  }, 'every entry has its vector');
}

/** Time that a test moves by hand. */
export function testClock(start = Date.UTC(2030, 0, 1)): Clock & { advance(milliseconds: number): void } {
  let now = start;
  return {
    now: () => now,
    advance(milliseconds) {
      now += milliseconds;
    },
  };
}
