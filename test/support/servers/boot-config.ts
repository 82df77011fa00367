/** Boots a config file in this process, on a store of its own, without listening: the plugins and settings that a user gets. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { bootTest, type TestServer } from 'plugboard/testing';
import { builtIn } from '../built-in.js';

interface ConfigFile {
  readonly plugins: Readonly<Record<string, ({ readonly use?: string } & Record<string, unknown>) | null>>;
}

type Options = NonNullable<Parameters<typeof bootTest>[0]>;

/** `storage` and `auth` replace the file's own. */
export async function bootConfig(
  file: string,
  { storage, ...options }: Pick<Options, 'auth' | 'clock'> & { storage?: Options['storage'] | undefined },
): Promise<TestServer> {
  const { plugins } = parse(await readFile(file, 'utf8')) as ConfigFile;
  const folder = await mkdtemp(join(tmpdir(), 'plugboard-config-'));
  const entries = await Promise.all(
    Object.entries(plugins).map(async ([id, entry]) => {
      const { use = id, ...config } = entry ?? {};
      return { id, plugin: await builtIn(use), config };
    }),
  );
  const server = await bootTest({
    ...options,
    plugins: entries,
    baseDir: dirname(file),
    storage: storage ?? { use: 'embedded', path: folder },
  });
  const stop = async (): Promise<void> => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  return { ...server, stop, [Symbol.asyncDispose]: stop };
}
