/**
 * `plugboard run --watch`: a changed config is reloaded by the server itself; changed code of a plugin is checked,
 * and then the server is started again, because a process keeps the modules that it has loaded.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { readFileSync, watch } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { readConfig } from '../../kernel/config/read.js';
import type { ExitCode } from './exit-code.js';
import type { ConfigFiles } from './config.js';
import { packageRoot } from './package-root.js';

/** What a plugin may be made of. */
const SOURCE = /\.([cm]?[jt]s|json)$/;

/** Editors write a file in several steps; changes within this time are one. Milliseconds. */
const SETTLE = 150;

type Change = 'config' | 'code';

/** `words` as typed after `run`. */
export async function watchAndRun(config: ConfigFiles, words: readonly string[]): Promise<ExitCode> {
  const own = words.filter((word) => word !== '--watch');
  let server = plugboard(['run', ...own]);
  let timer: NodeJS.Timeout | undefined;
  let handled = Promise.resolve();
  const changes = new Set<Change>();
  const handle = async (): Promise<void> => {
    const isCode = changes.has('code');
    changes.clear();
    const isRunning = server.exitCode === null && server.signalCode === null;
    if (isRunning && !isCode) {
      console.error('the config changed');
      server.kill('SIGHUP');
      return;
    }
    console.error('changed: checking');
    if ((await exitOf(plugboard(['check', ...own]))) !== 0) {
      console.error(isRunning ? 'the server goes on as it was' : 'waiting for the next change');
      return;
    }
    await end(server);
    server = plugboard(['run', ...own]);
  };
  const watchers = watchedFolders(config).map(({ folder, changeOf }) =>
    watch(folder, (_event, name) => {
      const change = name === null ? undefined : changeOf(name);
      if (change === undefined) return;
      changes.add(change);
      clearTimeout(timer);
      // One after another: a change while the server is stopping asks for one more restart, not for two servers.
      timer = setTimeout(() => {
        handled = handled.then(handle);
      }, SETTLE);
    }),
  );
  await new Promise<void>((done) => {
    process.once('SIGINT', done);
    process.once('SIGTERM', done);
  });
  clearTimeout(timer);
  for (const watcher of watchers) watcher.close();
  await handled;
  await end(server);
  return 0;
}

function plugboard(words: readonly string[]): ChildProcess {
  return fork(join(packageRoot, 'dist/tools/plugboard.js'), words, { stdio: 'inherit' });
}

function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((done) => {
    if (child.exitCode !== null || child.signalCode !== null) return done(child.exitCode);
    child.once('exit', done);
  });
}

function end(child: ChildProcess): Promise<number | null> {
  const exited = exitOf(child);
  child.kill('SIGTERM');
  return exited;
}

interface WatchedFolder {
  readonly folder: string;
  /** Whether a change of the file of this name is one of the server's: logs and data may be in the same folder. */
  changeOf(name: string): Change | undefined;
}

/** The folders of the config files and of plugins named by a path: watching a folder survives a replaced file. */
function watchedFolders({ files, envFiles }: ConfigFiles): WatchedFolder[] {
  const configs = [...files, ...envFiles].map((file): WatchedFolder => ({
    folder: dirname(file),
    changeOf: (name) => (name === basename(file) ? 'config' : undefined),
  }));
  const sources = files.flatMap((file) => {
    const { source } = readConfig(file, readFileSync(file, 'utf8'));
    const { plugins } = (source.value ?? {}) as { plugins?: Record<string, { use?: unknown } | null> };
    return Object.values(plugins ?? {})
      .map((entry) => entry?.use)
      .filter((use): use is string => typeof use === 'string' && /^\.{1,2}\//.test(use))
      .map((use) => dirname(resolve(dirname(files[0]), use)));
  });
  return [
    ...configs,
    ...Array.from(new Set(sources), (folder): WatchedFolder => ({
      folder,
      changeOf: (name) => (SOURCE.test(name) ? 'code' : undefined),
    })),
  ];
}
