/**
 * Runs the tests: `node dist/tools/test.js [--slow [--minutes=N]] [PATH-PART ...] [-- NODE-TEST-FLAG ...]`.
 *
 * node's own runner takes no globs on 20 and no folder on 22 and 24, so the files are listed here, from the
 * sources: a compiled test whose source is gone does not run. Files under a folder named `slow` run only with
 * `--slow`, with `--minutes` those of a time box (`test-slow.ts`). One mongod serves the whole run; where there is none, the last line says what was skipped.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { filesBelow } from './files-below.js';
import { makeTestFolder } from './test-folder.js';
import { groupTestFiles } from './test-groups.js';
import { startTestMongod } from './test-mongod.js';
import { runBox } from './test-slow.js';
import { watchMongod } from './watch-mongod.js';

/** Of each test, in milliseconds, here and under `--slow`, where one takes an hour: one that hangs must not hold the others up. */
const TIMEOUT = 300_000;
const SLOW_TIMEOUT = 5_400_000;

const root = resolve(import.meta.dirname, '../..');
const [ours, theirs] = splitAt(process.argv.slice(2), '--');
const slow = ours.includes('--slow');
const minutes = ours.find((argument) => argument.startsWith('--minutes='))?.slice('--minutes='.length);
const parts = ours.filter((argument) => !argument.startsWith('--'));

const files = filesBelow(join(root, 'test'))
  .filter((file) => file.endsWith('.test.ts'))
  .filter((file) => slow === file.split(sep).includes('slow'))
  .filter((file) => parts.length === 0 || parts.some((part) => join('test', file).includes(part)))
  .map((file) => join(root, 'dist/test', file.replace(/\.ts$/, '.js')))
  .filter((file) => existsSync(file))
  .sort();

if (files.length === 0) {
  console.error(`no test file matches ${parts.join(' ')}`);
  process.exit(2);
}

const folder = makeTestFolder();
process.on('exit', () => folder.remove());
// For the mongod that is started here, too.
process.env['TMPDIR'] = folder.path;
const mongod = await startTestMongod();
if (mongod.missing !== null && process.env['PLUGBOARD_REQUIRE_MONGODB'] === '1') {
  console.error(`PLUGBOARD_REQUIRE_MONGODB is 1, and ${mongod.missing}`);
  process.exit(2);
}

const gone = new AbortController();
const { PLUGBOARD_TEST_MONGODB: url = '' } = mongod.env;
const endWatch =
  mongod.missing === null
    ? watchMongod(url, (reason) => {
        console.error(`The mongod of this run is gone, so the run ends: ${reason}${mongod.complaints()}`);
        gone.abort();
      })
    : undefined;
process.exitCode = await (minutes === undefined
  ? runFiles(files)
  : runBox(files, Number(minutes), (file, env) => runFiles([file], env)));
await endWatch?.();
await mongod.stop();
console.log(mongod.closingLine);

/** The exit code of node's runner. Signals are passed on to it, so that the mongod is always stopped. */
function runFiles(chosen: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<number> {
  if (gone.signal.aborted) return Promise.resolve(1);
  // More than there are cores: a file often waits for a server that it started.
  const concurrency = `--test-concurrency=${Math.max(3, availableParallelism() - 1)}`;
  const processes = groupTestFiles(join(root, 'dist/test'), chosen, join(folder.path, 'groups'));
  const preload = pathToFileURL(join(import.meta.dirname, 'test-file.js')).href;
  const child = spawn(
    process.execPath,
    ['--test', concurrency, `--import=${preload}`, '--enable-source-maps', ...theirs, ...processes],
    {
      cwd: root,
      stdio: 'inherit',
      env: {
        ...process.env,
        ...mongod.env,
        ...env,
        PLUGBOARD_TEST_TIMEOUT: String(slow ? SLOW_TIMEOUT : TIMEOUT),
      },
    },
  );
  const stop = (signal: NodeJS.Signals): void => void child.kill(signal);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
  gone.signal.addEventListener('abort', () => stop('SIGTERM'), { once: true });
  return new Promise((settle) => {
    child.on('exit', (code, signal) => {
      for (const caught of ['SIGINT', 'SIGTERM'] as const) process.off(caught, stop);
      settle(signal === null ? (code ?? 1) : 1);
    });
  });
}

function splitAt(values: string[], separator: string): [string[], string[]] {
  const at = values.indexOf(separator);
  return at === -1 ? [values, []] : [values.slice(0, at), values.slice(at + 1)];
}
