/** `plugboard run --watch`: restarts the server when its config, or a plugin file that the config names, changes. */
import { fork, type ChildProcess } from 'node:child_process';
import { watch } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readFileSync } from 'node:fs';
import { readConfig } from '../../kernel/config/read.js';
import type { ExitCode } from './exit-code.js';
import { packageRoot } from './config.js';

/** Editors write a file in several steps; changes within this time are one. Milliseconds. */
const SETTLE = 150;

export async function watchAndRun(file: string): Promise<ExitCode> {
  let child = start(file);
  let timer: NodeJS.Timeout | undefined;
  const restart = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      console.error('changed: restarting');
      void end(child).then(() => {
        child = start(file);
      });
    }, SETTLE);
  };
  const watchers = watchedFolders(file).map((folder) => watch(folder, restart));
  await new Promise<void>((done) => {
    process.once('SIGINT', done);
    process.once('SIGTERM', done);
  });
  clearTimeout(timer);
  for (const watcher of watchers) watcher.close();
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

/** The folders of the config and of the plugins that it names by a path: watching a folder survives a file that is replaced. */
function watchedFolders(file: string): string[] {
  const { source } = readConfig(file, readFileSync(file, 'utf8'));
  const { plugins = {} } = (source.value ?? {}) as { plugins?: Record<string, { use?: unknown } | null> };
  const paths = Object.values(plugins)
    .map((entry) => entry?.use)
    .filter((use): use is string => typeof use === 'string' && /^\.{1,2}\//.test(use))
    .map((use) => resolve(dirname(file), use));
  return [...new Set([file, ...paths].map((path) => dirname(path)))];
}
