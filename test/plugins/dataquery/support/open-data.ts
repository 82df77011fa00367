/** A data API over a catalog written in the test. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bootTest, type TestServer } from 'plugboard/testing';
import dataquery from '../../../../plugins/dataquery/index.js';
import type { StoreConfig } from '../../../support/stores.js';

export interface DataAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  /** Parsed JSON; undefined without a body. */
  readonly body: unknown;
}

export interface Data {
  readonly server: TestServer;
  readonly directory: string;
  /** `prefer` is short for the header. */
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<DataAnswer>;
  /** The rows of a GET, which must succeed. */
  rows(path: string): Promise<unknown>;
  /** Puts the rows of the start back, of the relations that it was given rows of; identities go on counting. */
  restore(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * `catalog` is YAML; `rows` as in a file of rows; `modules` are JavaScript by file name, next to the catalog. Open to
 * everyone unless `config` says otherwise.
 */
export async function openData(
  storage: StoreConfig,
  catalog: string,
  rows: Readonly<Record<string, readonly object[]>> = {},
  config: object = {},
  modules: Readonly<Record<string, string>> = {},
  prefix = '/',
  serverConfig: object = {},
): Promise<Data> {
  const directory = await mkdtemp(join(tmpdir(), 'plugboard-data-'));
  await writeFile(join(directory, 'catalog.yaml'), catalog);
  await writeFile(join(directory, 'rows.json'), JSON.stringify(rows));
  for (const [name, code] of Object.entries(modules)) await writeFile(join(directory, name), code);
  const server = await bootTest({
    server: serverConfig,
    baseDir: directory,
    storage,
    plugins: [
      {
        plugin: dataquery,
        prefix,
        config: { catalog: 'catalog.yaml', rows: 'rows.json', auth: 'none', ...config },
      },
    ],
  });
  const send: Data['send'] = async (method, path, body, headers = {}) => {
    const isText = typeof body === 'string' || Buffer.isBuffer(body);
    const payload = body === undefined || isText ? body : JSON.stringify(body);
    const answer = await server.inject({
      method: method as 'GET',
      url: path,
      headers,
      ...(payload === undefined ? {} : { payload: Buffer.from(payload as string) }),
    });
    const text = answer.body;
    const isJson = String(answer.headers['content-type']).includes('json');
    return {
      status: answer.statusCode,
      headers: answer.headers,
      body: text === '' ? undefined : isJson ? (JSON.parse(text) as unknown) : text,
    };
  };
  const succeed = async (method: string, path: string, body?: unknown): Promise<void> => {
    const answer = await send(method, path, body);
    if (answer.status > 204)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  };
  return {
    server,
    directory,
    send,
    restore: async () => {
      const relations = Object.entries(rows).map(([name, own]) => [`/${name.split('.')[1]}`, own] as const);
      for (const [path] of relations.toReversed()) await succeed('DELETE', path);
      for (const [path, own] of relations) await succeed('POST', path, own);
    },
    rows: async (path) => {
      const { status, body } = await send('GET', path);
      if (status !== 200 && status !== 206) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
      return body;
    },
    stop: async () => {
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** The code of an error answer, with its status. */
export function refusal({ status, body }: DataAnswer): string {
  return `${status} ${String((body as { code?: unknown } | undefined)?.code)}`;
}
