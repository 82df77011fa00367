/** The mongod of a test run: one for all files, which find it by `PLUGBOARD_TEST_MONGODB`. */
import { findMongod } from '../plugins/storage/memory-server/mongod.js';
import { startMemoryServer, type MemoryServer } from '../plugins/storage/memory-server/start.js';

export interface TestMongod {
  /** For the test processes. */
  readonly env: Readonly<Record<string, string>>;
  /** Why there is none; null when there is one. */
  readonly missing: string | null;
  /** The last line of the run: where MongoDB came from, or what was skipped and how to run it. */
  readonly closingLine: string;
  /** What it last logged as an error, a line each; empty of one that was not started here. */
  complaints(): string;
  stop(): Promise<void>;
}

/** `MONGODB_URI`, `MONGOMS_SYSTEM_BINARY`, the PATH, and with `PLUGBOARD_TEST_DOWNLOAD=1` a download, in this order. */
export async function startTestMongod(env: NodeJS.ProcessEnv = process.env): Promise<TestMongod> {
  if (env['MONGODB_URI'])
    return running(env['MONGODB_URI'], 'MONGODB_URI', { stop: async () => {}, complaints: [] });
  const found = findMongod(env);
  const download = env['PLUGBOARD_TEST_DOWNLOAD'] === '1';
  if (found === null && !download) return MISSING;
  const server = await startMemoryServer({ binary: found?.path, download });
  return running(server.url, found?.foundIn ?? 'download', server);
}

/** Whether a run, or a test file that runs by itself, has a mongod. Looks at files only, starts nothing. */
export function canStartTestMongod(env: NodeJS.ProcessEnv = process.env): boolean {
  const given = env['PLUGBOARD_TEST_MONGODB'];
  if (given) return given !== 'none';
  return Boolean(env['MONGODB_URI']) || env['PLUGBOARD_TEST_DOWNLOAD'] === '1' || findMongod(env) !== null;
}

const MISSING: TestMongod = {
  env: { PLUGBOARD_TEST_MONGODB: 'none' },
  missing: 'there is no MONGODB_URI, no MONGOMS_SYSTEM_BINARY and no mongod on the PATH',
  closingLine:
    'MongoDB: SKIPPED, the storage tests ran on the embedded store alone. To run the other half: put a mongod ' +
    'on the PATH, set MONGOMS_SYSTEM_BINARY or MONGODB_URI, or set PLUGBOARD_TEST_DOWNLOAD=1.',
  complaints: () => '',
  stop: async () => {},
};

function running(url: string, from: string, server: Pick<MemoryServer, 'stop' | 'complaints'>): TestMongod {
  return {
    env: { PLUGBOARD_TEST_MONGODB: url },
    missing: null,
    closingLine: `MongoDB: tested, on a mongod from ${from}.`,
    complaints: () => server.complaints.map((line) => `\n${line}`).join(''),
    stop: () => server.stop(),
  };
}
