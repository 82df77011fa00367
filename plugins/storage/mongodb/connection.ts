/** The connection to MongoDB, with the settings that the port's guarantees need. */
import { access, constants } from 'node:fs/promises';
import { resolve } from 'node:path';
import { MongoClient, type Db, type MongoClientOptions } from 'mongodb';
import type { Config } from './schema.js';
import { storageError } from './errors.js';

export interface Connection {
  readonly client: MongoClient;
  readonly db: Db;
  /** The kind of deployment; a standalone server has neither transactions nor a change history. */
  readonly deployment: 'replica set' | 'sharded cluster' | 'standalone';
}

/** Connects and determines the deployment. Rejects within the server selection timeout, with no part of the password. */
export async function connect(config: Config, baseDir: string): Promise<Connection> {
  await checkFiles(config, baseDir);
  const client = createClient(config, baseDir);
  try {
    await client.connect();
    const db = client.db(config.database ?? databaseIn(config.url) ?? 'plugboard');
    const hello = await db.command({ hello: 1 });
    const deployment =
      hello['msg'] === 'isdbgrid'
        ? 'sharded cluster'
        : typeof hello['setName'] === 'string'
          ? 'replica set'
          : 'standalone';
    return { client, db, deployment };
  } catch (error) {
    await client.close().catch(() => {});
    throw storageError(error);
  }
}

/** The driver's error names the file, but not the config key. */
async function checkFiles({ tls = { enabled: true } }: Config, baseDir: string): Promise<void> {
  for (const key of ['caFile', 'certificateKeyFile'] as const) {
    const file = tls[key];
    if (file === undefined) continue;
    const path = resolve(baseDir, file);
    await access(path, constants.R_OK).catch((cause: unknown) => {
      throw new Error(`storage.tls.${key}: "${path}" cannot be read`, { cause });
    });
  }
}

function createClient(config: Config, baseDir: string): MongoClient {
  try {
    return new MongoClient(config.url, clientOptions(config, baseDir));
  } catch (error) {
    // Without the driver's error as the cause: its text may hold the password.
    // oxlint-disable-next-line preserve-caught-error
    throw new Error(`storage.url is not a MongoDB connection string: ${withoutPassword(String(error))}`);
  }
}

function clientOptions({ pool, timeouts, tls, readPreference }: Config, baseDir: string): MongoClientOptions {
  const path = (file: string): string => resolve(baseDir, file);
  return {
    appName: 'plugboard',
    writeConcern: { w: 'majority', journal: true, wtimeoutMS: timeouts.majority },
    // Read concern local: after a duplicate key, the conflicting document is visible even before a majority has it.
    readConcern: { level: 'local' },
    readPreference,
    retryWrites: true,
    retryReads: true,
    minPoolSize: pool.min,
    maxPoolSize: pool.max,
    connectTimeoutMS: timeouts.connect,
    serverSelectionTimeoutMS: timeouts.serverSelection,
    socketTimeoutMS: timeouts.socket,
    waitQueueTimeoutMS: timeouts.queue,
    ignoreUndefined: true,
    promoteBuffers: true,
    useBigInt64: true,
    ...(tls && {
      tls: tls.enabled,
      ...(tls.caFile !== undefined && { tlsCAFile: path(tls.caFile) }),
      ...(tls.certificateKeyFile !== undefined && { tlsCertificateKeyFile: path(tls.certificateKeyFile) }),
      ...(tls.certificateKeyPassword !== undefined && {
        tlsCertificateKeyFilePassword: tls.certificateKeyPassword,
      }),
    }),
  };
}

function databaseIn(url: string): string | undefined {
  const name = /^mongodb(?:\+srv)?:\/\/[^/]+\/([^?]+)/.exec(url)?.[1];
  return name === undefined ? undefined : decodeURIComponent(name);
}

/** `mongodb://user:secret@host` becomes `mongodb://***@host`. */
function withoutPassword(text: string): string {
  return text.replace(/[^\s"]+/g, (word) => {
    const [start, end] = [word.indexOf('//'), word.lastIndexOf('@')];
    return start < 0 || end < start ? word : `${word.slice(0, start)}//***${word.slice(end)}`;
  });
}
