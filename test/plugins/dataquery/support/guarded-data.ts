/** A data API for people with tokens, callers without one, and keys above policies. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bootTest, type TestServer } from 'plugboard/testing';
import dataquery from '../../../../plugins/dataquery/index.js';
import type { StoreConfig } from '../../../support/stores.js';
import {
  AUDIENCE,
  ISSUER,
  KeyHost,
  signed,
  signingKey,
  type SigningKey,
} from '../../../support/peers/token-issuer.js';

/** Claims of a token, an API key, or nothing. */
export type Who = Readonly<Record<string, unknown>> | string | undefined;

export interface GuardedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  /** Parsed JSON; the text of anything else. */
  readonly body: unknown;
}

export interface GuardedData {
  readonly server: TestServer;
  readonly directory: string;
  /** An API key with `data:bypass`. */
  readonly bypass: string;
  key(...scopes: string[]): Promise<string>;
  tokenOf(claims: Readonly<Record<string, unknown>>): Promise<string>;
  send(
    who: Who,
    method: string,
    path: string,
    more?: { body?: unknown; prefer?: string; accept?: string },
  ): Promise<GuardedAnswer>;
  stop(): Promise<void>;
}

export interface Issuer {
  readonly key: SigningKey;
  readonly url: string;
}

/** `end` gets what stops the host of its keys. */
export async function anIssuer(end: (stop: () => unknown) => void): Promise<Issuer> {
  const key = await signingKey('one');
  const host = await KeyHost.start({ after: end } as never, [key]);
  return { key, url: host.url };
}

export async function openGuarded(
  storage: StoreConfig,
  issuer: Issuer,
  catalog: string,
  rows: Readonly<Record<string, readonly object[]>> = {},
  modules: Readonly<Record<string, string>> = {},
  config: object = {},
): Promise<GuardedData> {
  const directory = await mkdtemp(join(tmpdir(), 'plugboard-guarded-'));
  await writeFile(join(directory, 'catalog.yaml'), catalog);
  await writeFile(join(directory, 'rows.json'), JSON.stringify(rows));
  for (const [name, code] of Object.entries(modules)) await writeFile(join(directory, name), code);
  const scopes = ['data:read', 'data:write'];
  const server = await bootTest({
    baseDir: directory,
    storage,
    plugins: [
      {
        plugin: dataquery,
        prefix: '/',
        config: { catalog: 'catalog.yaml', rows: 'rows.json', aggregates: true, ...config },
      },
    ],
    auth: {
      anonymous: { role: 'anon', scopes },
      issuers: [
        {
          name: 'app',
          issuer: ISSUER,
          audience: AUDIENCE,
          jwks: issuer.url,
          algorithms: ['ES256'],
          roles: { '*': scopes },
        },
      ],
    },
  });
  const key = async (...of: string[]): Promise<string> => {
    const words = ['keys', 'create', 'one', '--json', ...of.flatMap((scope) => ['--scope', scope])];
    return (JSON.parse((await server.command(words)).stdout) as { key: string }).key;
  };
  const tokens = new Map<string, Promise<string>>();
  const tokenOf = (who: Who): Promise<string> | string | undefined => {
    if (typeof who !== 'object') return who;
    const text = JSON.stringify(who);
    if (!tokens.has(text)) tokens.set(text, signed(issuer.key, who));
    return tokens.get(text);
  };
  return {
    server,
    directory,
    bypass: await key(...scopes, 'data:bypass'),
    key,
    tokenOf: async (claims) => (await tokenOf(claims)) ?? '',
    async send(who, method, path, { body, prefer, accept } = {}) {
      const token = await tokenOf(who);
      const answer = await server.inject({
        method: method as 'GET',
        url: path,
        headers: {
          ...(prefer === undefined ? {} : { prefer }),
          ...(accept === undefined ? {} : { accept }),
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
        ...(body === undefined ? {} : { payload: Buffer.from(JSON.stringify(body)) }),
      });
      const text = answer.body;
      const isJson = text !== '' && String(answer.headers['content-type']).includes('json');
      return {
        status: answer.statusCode,
        headers: answer.headers,
        text,
        body: isJson ? (JSON.parse(text) as unknown) : text,
      };
    },
    async stop() {
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
