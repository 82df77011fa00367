/**
 * Runs the tests: `node dist/tools/test.js [--slow] [PATH-PART ...] [-- NODE-TEST-FLAG ...]`.
 *
 * node's own runner takes no globs on 20 and no folder on 22 and 24, so the files are listed here, from the
 * sources: a compiled test whose source is gone does not run. Files under a folder named `slow` run only with
 * `--slow`.
 */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { availableParallelism } from 'node:os';

const root = resolve(import.meta.dirname, '../..');
const [ours, theirs] = splitAt(process.argv.slice(2), '--');
const slow = ours.includes('--slow');
const parts = ours.filter((argument) => !argument.startsWith('--'));

const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
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

const concurrency = `--test-concurrency=${Math.max(1, availableParallelism() - 1)}`;
const child = spawn(process.execPath, ['--test', concurrency, '--enable-source-maps', ...theirs, ...files], {
  cwd: root,
  stdio: 'inherit',
});
child.on('exit', (code, signal) => {
  process.exitCode = signal === null ? (code ?? 1) : 1;
});

function splitAt(values: string[], separator: string): [string[], string[]] {
  const at = values.indexOf(separator);
  return at === -1 ? [values, []] : [values.slice(0, at), values.slice(at + 1)];
}
