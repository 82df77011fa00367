/** `npm run release`, tried in a repository of its own; nothing is published. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { root } from '../support/fixtures.js';

const CHANGELOG = '# Changelog\n\n## [Unreleased]\n\n- A thing.\n\n## [0.1.0] - 2026-01-01\n\n- The first.\n';

function repository(t: TestContext, changelog = CHANGELOG) {
  const folder = mkdtempSync(join(tmpdir(), 'plugboard-release-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const git = (...words: string[]): string => execFileSync('git', words, { cwd: folder, encoding: 'utf8' });
  git('init', '--quiet');
  git('config', 'user.name', 'A Maintainer');
  git('config', 'user.email', 'maintainer@example.com');
  writeFileSync(join(folder, 'CHANGELOG.md'), changelog);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'released', version: '0.1.0' }));
  git('add', '.');
  git('commit', '--quiet', '--message', 'The first');
  const release = (...words: string[]) =>
    spawnSync(process.execPath, [join(root, 'dist/tools/release.js'), ...words, '--skip-checks'], {
      cwd: folder,
      encoding: 'utf8',
    });
  return { folder, git, release };
}

test('a release dates the changelog, raises the version, tags and packs, and says how to publish', (t) => {
  const { folder, git, release } = repository(t);
  const { status, stdout, stderr } = release('0.2.0');
  assert.equal(status, 0, stderr);
  assert.match(stdout, /npm publish released-0\.2\.0\.tgz --provenance/);
  assert.ok(existsSync(join(folder, 'released-0.2.0.tgz')));
  assert.match(
    readFileSync(join(folder, 'CHANGELOG.md'), 'utf8'),
    /^# Changelog\n\n## \[Unreleased\]\n\n## \[0\.2\.0\] - \d{4}-\d\d-\d\d\n\n- A thing\.\n\n## \[0\.1\.0\] - 2026-01-01\n\n- The first\.\n$/,
  );
  assert.match(git('show', 'v0.2.0:package.json'), /"version":"0\.2\.0"/);
  assert.equal(git('describe', '--exact-match').trim(), 'v0.2.0');
});

test('a release is refused without a version, on a dirty tree, twice, and with nothing in the changelog', (t) => {
  const { folder, git, release } = repository(t);
  assert.match(release('next').stderr, /^name a version/);
  git('tag', 'v0.2.0');
  assert.match(release('0.2.0').stderr, /^there is a tag v0\.2\.0/);
  writeFileSync(join(folder, 'new'), '');
  assert.match(release('0.3.0').stderr, /^there are changes that are not committed/);
  const empty = repository(t, CHANGELOG.replace('- A thing.\n', ''));
  assert.match(empty.release('0.2.0').stderr, /^CHANGELOG\.md has nothing/);
  assert.equal(empty.git('status', '--porcelain'), '');
});
