/** `plugboard run --watch`: restarts the server when its config, or a plugin file that the config names, changes. */
import { fork, type ChildProcess } from 'node:child_process';
import { readFileSync, watch } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { readConfig } from '../../kernel/config/read.js';
import type { ExitCode } from './exit-code.js';
import { packageRoot } from './config.js';

/** What a plugin may be made of. */
const SOURCE = /\.([cm]?[jt]s|json)$/;

/** Editors write a file in several steps; changes within this time are one. Milliseconds. */
const SETTLE = 150;

export async function watchAndRun(file: string): Promise<ExitCode> {
  let child = start(file);
  let timer: NodeJS.Timeout | undefined;
  let restarted = Promise.resolve();
  const restart = async (): Promise<void> => {
    console.error('changed: restarting');
    await end(child);
    child = start(file);
  };
  const watchers = watchedFolders(file).map(({ folder, counts }) =>
    watch(folder, (_event, name) => {
      if (name === null || !counts(name)) return;
      clearTimeout(timer);
      // One after another: a change while the server is stopping asks for one more restart, not for two servers.
      timer = setTimeout(() => {
        restarted = restarted.then(restart);
      }, SETTLE);
    }),
  );
  await new Promise<void>((done) => {
    process.once('SIGINT', done);
    process.once('SIGTERM', done);
  });
  clearTimeout(timer);
  for (const watcher of watchers) watcher.close();
  await restarted;
  await end(child);
  return 0;
}

function start(file: string): ChildProcess {
  return fork(join(packageRoot, 'dist/tools/plugboard.js'), ['run', file], { stdio: 'inherit' });
}

function end(child: ChildProcess): Promise<void> {
  return new Promise((done) => {
    if (child.exitCode !== null || child.signalCode !== null) return done();
    child.once('exit', () => done());
    child.kill('SIGTERM');
  });
}

interface WatchedFolder {
  readonly folder: string;
  /** Whether a change of the file of this name is one of the server's: logs and data may lie beside it. */
  counts(name: string): boolean;
}

/** The config, and the sources beside each plugin that it names by a path: watching a folder survives a file that is replaced. */
function watchedFolders(file: string): WatchedFolder[] {
  const { source } = readConfig(file, readFileSync(file, 'utf8'));
  const { plugins = {} } = (source.value ?? {}) as { plugins?: Record<string, { use?: unknown } | null> };
  const sources = Object.values(plugins)
    .map((entry) => entry?.use)
    .filter((use): use is string => typeof use === 'string' && /^\.{1,2}\//.test(use))
    .map((use) => dirname(resolve(dirname(file), use)));
  return [
    { folder: dirname(file), counts: (name) => name === basename(file) },
    ...Array.from(new Set(sources), (folder) => ({ folder, counts: (name: string) => SOURCE.test(name) })),
  ];
}
