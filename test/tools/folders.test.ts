/** Folders that a user names and that cannot be made: below /proc the system refuses every one. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { eventually } from '../support/eventually.js';
import { root } from '../support/fixtures.js';
import { SpawnedServer } from '../support/spawned-server.js';

let folder = '';
before(() => void (folder = mkdtempSync(join(tmpdir(), 'plugboard-folders-'))));
after(() => rmSync(folder, { recursive: true, force: true }));

function config(storage: string): string {
  const file = join(folder, 'config.yaml');
  writeFileSync(
    file,
    `version: 1\nserver: { port: 0 }\nproviders:\n  storage: { use: embedded, path: ${storage} }\nplugins:\n  events:\n`,
  );
  return file;
}

function plugboard(...words: string[]): { status: number | null; text: string } {
  const script = join(root, 'dist/tools/plugboard.js');
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...words], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { status, text: stdout + stderr };
}

const skip = process.platform === 'linux' ? false : 'there is no /proc';
const REFUSED = /the folder "\/proc\/nope.*" cannot be made: "\/proc" takes no folders; name another one\n$/;

describe('a folder below /proc', { skip }, () => {
  test('is refused in words by a start, a backup, an export and a new plugin', () => {
    const broken = config('/proc/nope');
    const start = plugboard('run', broken);
    assert.equal(start.status, 2, start.text);
    assert.match(start.text, REFUSED);
    const made = plugboard('create-plugin', 'guestbook', '/proc/nope');
    assert.equal(made.status, 2, made.text);
    assert.match(made.text, REFUSED);
    const whole = config(join(folder, 'data'));
    for (const command of ['backup', 'export']) {
      const { status, text } = plugboard('data', command, '/proc/nope', '--config', whole);
      assert.equal(status, 2, text);
      assert.match(text, REFUSED);
    }
  });

  test('does not stop a running server that is reloaded to it', async () => {
    const file = config(join(folder, 'kept'));
    await using server = await SpawnedServer.run([file]);
    config('/proc/nope');
    server.kill('SIGHUP');
    await eventually(() => server.output.includes('going back to the old one'), 'it goes back', 60_000);
    await eventually(() => server.output.split('ready: ').length === 3, 'it is ready again', 60_000);
    assert.match(server.output, /the folder ..?\/proc\/nope..? cannot be made/);
    assert.equal(await server.end('SIGTERM'), 0);
  });
});

test('a link to a folder that does not exist is a problem with its place in the file', () => {
  symlinkSync(join(folder, 'nowhere'), join(folder, 'dangling'));
  const { status, text } = plugboard('check', config(join(folder, 'dangling/inner')));
  assert.equal(status, 2);
  assert.match(
    text,
    /config\.yaml:4:\d+ error providers\.storage\.path: ".*dangling" is a link to a folder that does not exist/,
  );
});
