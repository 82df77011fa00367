/** Starts a real mongod as a replica set in a temporary folder, which is removed when it stops. */
import { findMongod, versionOf } from './mongod.js';

export interface MemoryServer {
  readonly url: string;
  /** How members ended, and the last lines that they logged as an error or as fatal. */
  readonly complaints: readonly string[];
  /** Ends the processes and removes their folder. */
  stop(): Promise<void>;
}

export interface MemoryServerOptions {
  /** Default: `MONGOMS_SYSTEM_BINARY`, then the PATH. */
  readonly binary?: string | undefined;
  /** Download a binary from mongodb.org if none is found (some 80 MB, once). Default: false. */
  readonly download?: boolean;
  /** The version to download. Default: mongodb-memory-server's. */
  readonly version?: string | undefined;
  /** Members of the replica set. Default: 1. */
  readonly members?: number;
}

/** Milliseconds that a member may take to start, also on a busy machine. */
const LAUNCH_TIMEOUT = 60_000;

/**
 * Seconds that the files of a dropped collection stay open: this, and until the next checkpoint. By default 300 and 60:
 * a test run drops so many that mongod reached its limit of open files and ended.
 */
const HISTORY = 5;
const CHECKPOINT_EVERY = 10;

/** A line of severity error or fatal in mongod's log, which is JSON. */
const COMPLAINT = /"s":"[EF]"/;
const COMPLAINTS = 20;

/** Rejects with what to do if no mongod is found. */
export async function startMemoryServer(options: MemoryServerOptions = {}): Promise<MemoryServer> {
  const path = options.binary ?? findMongod()?.path;
  if (path === undefined && options.download !== true) {
    throw new Error(
      'no mongod on this machine: put one on the PATH, name one by MONGOMS_SYSTEM_BINARY, or allow the download',
    );
  }
  // Loaded late: it reads the nearest package.json, and no production server needs it.
  const { MongoMemoryReplSet, MongoBinary } = await import('mongodb-memory-server-core');
  const binary =
    path === undefined ? ofVersion(options.version) : { systemBinary: path, version: versionOf(path) };
  if (path === undefined) {
    await MongoBinary.getPath(binary).catch((cause: unknown) => {
      throw notDownloaded(cause);
    });
  }
  const replicaSet = await MongoMemoryReplSet.create({
    replSet: {
      count: options.members ?? 1,
      storageEngine: 'wiredTiger',
      configSettings: { electionTimeoutMillis: 2000, heartbeatIntervalMillis: 500 },
    },
    instanceOpts: Array.from({ length: options.members ?? 1 }, () => ({
      launchTimeout: LAUNCH_TIMEOUT,
      args: [
        ...['--syncdelay', String(CHECKPOINT_EVERY)],
        ...['--setParameter', `minSnapshotHistoryWindowInSeconds=${HISTORY}`],
      ],
    })),
    binary,
  });
  const complaints: string[] = [];
  for (const { instanceInfo } of replicaSet.servers) {
    const mongod = instanceInfo?.instance.mongodProcess;
    mongod?.stdout?.on('data', (chunk: Buffer) => {
      complaints.push(
        ...chunk
          .toString()
          .split('\n')
          .filter((line) => COMPLAINT.test(line)),
      );
      complaints.splice(0, complaints.length - COMPLAINTS);
    });
    mongod?.on('exit', (code, signal) => {
      complaints.push(`ended with code ${code}, signal ${signal}`);
    });
  }
  return {
    url: replicaSet.getUri(),
    complaints,
    stop: async () => {
      await replicaSet.stop({ doCleanup: true, force: true });
    },
  };
}

function ofVersion(version: string | undefined): { version?: string } {
  return version === undefined ? {} : { version };
}

function notDownloaded(cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new Error(
    `mongod cannot be downloaded: ${reason}; put one on the PATH, or name one by MONGOMS_SYSTEM_BINARY`,
    { cause },
  );
}
