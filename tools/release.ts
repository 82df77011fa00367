/**
 * Makes a release, short of publishing it: `npm run release -- 0.2.0`. See docs/releasing.md.
 * Changes nothing unless the tree is clean and the changelog has something to say.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    /** For a trial: what .ci/run checks was checked before. */
    'skip-checks': { type: 'boolean', default: false },
  },
});

try {
  release(positionals, new Date());
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

function release([version = '', ...more]: readonly string[], today: Date): void {
  if (!/^\d+\.\d+\.\d+(-[0-9A-Za-z.]+)?$/.test(version) || more.length > 0)
    throw new Error('name a version: npm run release -- 0.2.0');
  if (run('git', 'status', '--porcelain') !== '') throw new Error('there are changes that are not committed');
  const tag = `v${version}`;
  if (run('git', 'tag', '--list', tag) !== '') throw new Error(`there is a tag ${tag}`);
  const changelog = datedChangelog(readFileSync('CHANGELOG.md', 'utf8'), version, today);
  if (!values['skip-checks']) execFileSync('bash', ['.ci/run'], { stdio: 'inherit' });

  writeFileSync('CHANGELOG.md', changelog);
  run('npm', 'version', version, '--no-git-tag-version', '--allow-same-version');
  run('git', 'commit', '--quiet', '--all', '--message', `Version ${version}`);
  run('git', 'tag', '--annotate', tag, '--message', `Version ${version}`);
  const file = run('npm', 'pack', '--silent').trim();
  console.log(`${file} is packed, and ${tag} is tagged. To publish:

  git push --follow-tags
  npm publish ${file} --provenance`);
}

/** The changelog with the unreleased changes under the version and its date, after Keep a Changelog. */
function datedChangelog(text: string, version: string, today: Date): string {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => line.startsWith('## [Unreleased]'));
  const next = lines.findIndex((line, at) => at > start && line.startsWith('## '));
  const changes = lines.slice(start + 1, next === -1 ? undefined : next);
  if (start === -1 || changes.join('').trim() === '')
    throw new Error('CHANGELOG.md has nothing under "## [Unreleased]"');
  const heading = ['## [Unreleased]', '', `## [${version}] - ${today.toISOString().slice(0, 10)}`];
  return lines.toSpliced(start, 1, ...heading).join('\n');
}

function run(program: string, ...words: readonly string[]): string {
  return execFileSync(program, words, { encoding: 'utf8' });
}
