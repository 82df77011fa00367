/** Folders that a user names and that cannot be made: below /proc the system refuses every one. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test, type TestContext } from 'node:test';
import { eventually } from '../support/eventually.js';
import { root } from '../support/fixtures.js';
import { SpawnedServer } from '../support/servers/spawned-server.js';

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
  return plugboardAs({}, ...words);
}

function plugboardAs(
  user: { readonly uid?: number; readonly gid?: number },
  ...words: string[]
): { status: number | null; text: string } {
  const script = join(root, 'dist/tools/plugboard.js');
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...words], {
    ...user,
    cwd: user.uid === undefined ? folder : '/',
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

/** One that owns nothing, such as "nobody". */
const STRANGER = 65_534;
const isRoot = process.getuid?.() === 0;

/** A folder that everybody can reach, unlike the temporary one of a run, with a config for a store in it. */
function openPlace(t: TestContext): { place: string; file: string } {
  const place = mkdtempSync(join('/dev/shm', 'plugboard-folders-'));
  t.after(() => {
    chmodSync(place, 0o755);
    rmSync(place, { recursive: true, force: true });
  });
  const file = join(place, 'config.yaml');
  const storage = `{ use: embedded, path: ${place}/data }`;
  writeFileSync(file, `version: 1\nproviders:\n  storage: ${storage}\nplugins:\n  events:\n`);
  return { place, file };
}

// Root may write anywhere: it runs the command as somebody else, who must reach Node and this checkout.
const as = isRoot ? { uid: STRANGER, gid: STRANGER } : {};
const unreachable =
  plugboardAs(as, 'version').status === 0
    ? false
    : 'another user may not run this Node, or enter this checkout';

describe('a store that this user may not write', { skip: skip || unreachable }, () => {
  test('is a problem with its place in the file, the owner and what to do', (t) => {
    const { place, file } = openPlace(t);
    chmodSync(place, 0o555);
    for (const command of ['check', 'run']) {
      const { status, text } = plugboardAs(as, command, file);
      assert.equal(status, 2, text);
      assert.match(
        text,
        /config\.yaml:3:\d+ error providers\.storage\.path: this user may not write into \S+ \(EACCES\)/,
      );
      assert.doesNotMatch(text, /^\s+at /m);
    }
  });

  const another = isRoot ? false : 'only root can make files of another user';
  test('is told when only its files are of another user', { skip: another }, (t) => {
    const { place, file } = openPlace(t);
    chmodSync(place, 0o755);
    const made = plugboard('keys', 'list', '--config', file);
    assert.equal(made.status, 0, made.text);
    chownSync(join(place, 'data'), STRANGER, STRANGER);
    const { status, text } = plugboardAs(as, 'run', file);
    assert.equal(status, 2, text);
    assert.match(text, /the store cannot be opened \(EACCES: .*run this as the owner of the folder/);
    assert.doesNotMatch(text, /^\s+at /m);
  });
});

describe('something else in the place of a file of the store', () => {
  for (const name of ['data.mdb', 'lock.mdb', 'server.mdb', 'store.json', 'seal.key'])
    test(`${name} is refused in words, as a folder and as a link that leads nowhere`, () => {
      for (const kind of ['folder', 'link']) {
        const place = join(folder, `${name}-${kind}`);
        mkdirSync(place);
        if (kind === 'folder') mkdirSync(join(place, name));
        else symlinkSync(join(folder, 'nowhere/x'), join(place, name));
        const { status, text } = plugboard('run', config(place));
        assert.equal(status, 2, text);
        assert.ok(text.includes(`the store cannot be opened: "${join(place, name)}" is `), text);
        assert.match(text, /; move it away, or name another folder\n$/);
      }
    });
});

test('a file in the place of the folder, or above it, is a problem with its place in the file', () => {
  writeFileSync(join(folder, 'taken'), '');
  for (const [path, message] of [
    ['taken', /config\.yaml:4:\d+ error providers\.storage\.path: .*taken is a file, not a folder/],
    ['taken/data', /config\.yaml:4:\d+ error providers\.storage\.path: a part of the path .* is a file/],
  ] as const) {
    const { status, text } = plugboard('run', config(join(folder, path)));
    assert.equal(status, 2, text);
    assert.match(text, message);
  }
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
