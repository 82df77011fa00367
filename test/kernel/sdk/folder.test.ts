import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { isUserError, makeFolder } from 'plugboard/sdk';

let root = '';
before(() => void (root = mkdtempSync(join(tmpdir(), 'plugboard-folder-'))));
after(() => rmSync(root, { recursive: true, force: true }));

/** The error's text after the folder's name. */
function refusal(folder: string): string {
  try {
    makeFolder(folder);
  } catch (error) {
    assert.ok(isUserError(error));
    const { message } = error as Error;
    const said = `the folder "${folder}" cannot be made: `;
    assert.ok(message.startsWith(said), message);
    return message.slice(said.length);
  }
  throw new Error(`${folder} was made`);
}

test('a folder is made with those above it, with the rights that are asked for; one that is there stays', () => {
  const folder = join(root, 'a/b/c');
  makeFolder(folder, 0o700);
  for (const made of ['a', 'a/b', 'a/b/c']) assert.equal(statSync(join(root, made)).mode & 0o777, 0o700);
  writeFileSync(join(folder, 'file'), '');
  makeFolder(folder);
  assert.ok(existsSync(join(folder, 'file')));
});

test('a link to a folder is that folder', () => {
  mkdirSync(join(root, 'there'));
  symlinkSync(join(root, 'there'), join(root, 'link'));
  makeFolder(join(root, 'link/inner'));
  assert.ok(existsSync(join(root, 'there/inner')));
});

test('a folder that cannot be made is refused with the reason', () => {
  writeFileSync(join(root, 'file'), '');
  symlinkSync(join(root, 'nowhere'), join(root, 'dangling'));
  symlinkSync(join(root, 'circle'), join(root, 'circle'));
  assert.equal(refusal(join(root, 'file')), `"${join(root, 'file')}" is a file; name another folder`);
  // Node 20 says that a part is a file, later ones which.
  assert.match(
    refusal(join(root, 'file/inner')),
    /^(?:a part of the path|".*") is a file; name another folder$/,
  );
  for (const folder of ['dangling', 'dangling/inner'])
    assert.equal(
      refusal(join(root, folder)),
      `"${join(root, 'dangling')}" is a link to a folder that does not exist; make that folder, or name another`,
    );
  assert.match(refusal(join(root, 'circle/inner')), /^the links of ".*" lead back to themselves/);
  assert.equal(refusal(join(root, 'x'.repeat(300))), 'its name is too long; name another folder');
});

const isLinux = process.platform === 'linux';

test(
  'below /proc, where no folder can be made, the attempt ends',
  { skip: !isLinux && 'there is no /proc' },
  () => {
    for (const folder of ['/proc/nope', '/proc/nope/inner'])
      assert.equal(refusal(folder), '"/proc" takes no folders; name another one');
  },
);
