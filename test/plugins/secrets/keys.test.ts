import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { ensureSealKeyFile } from '../../../plugins/secrets/file.js';
import { findSealKeys } from '../../../plugins/secrets/keys.js';
import { SEAL_KEY_PATTERN, sealRing } from '../../../plugins/secrets/ring.js';
import { temporaryFolder } from '../auth/support.js';

const newKey = (): string => randomBytes(32).toString('base64');

test('what was sealed opens with the same context and with no other', () => {
  const ring = sealRing([newKey()]);
  const sealed = ring.seal('the secret', 'a/1');
  assert.equal(ring.open(sealed, 'a/1'), 'the secret');
  assert.throws(() => ring.open(sealed, 'a/2'));
  assert.throws(() => ring.open(`${sealed.slice(0, -2)}xx`, 'a/1'));
  assert.doesNotMatch(sealed, /secret/);
});

test('after a rotation the new key seals and the old one still opens, until it is no longer listed', () => {
  const [old, next] = [newKey(), newKey()];
  const before = sealRing([old]).seal('the secret', 'a');
  const rotated = sealRing([next, old]);
  assert.equal(rotated.open(before, 'a'), 'the secret');
  assert.equal(sealRing([next]).open(rotated.seal('another', 'a'), 'a'), 'another');
  assert.throws(() => sealRing([next]).open(before, 'a'), /no longer lists/);
});

test('a code is of one text in one context by a listed key', () => {
  const [old, next] = [newKey(), newKey()];
  const mac = sealRing([old]).mac('the text', 'a');
  const rotated = sealRing([next, old]);
  assert.ok(rotated.isMac(mac, 'the text', 'a'));
  assert.equal(sealRing([old]).mac('the text', 'a'), mac);
  assert.notEqual(rotated.mac('the text', 'a'), mac);
  for (const [text, context] of [
    ['the other text', 'a'],
    ['the text', 'b'],
    ['text', 'athe '],
  ] as const)
    assert.ok(!rotated.isMac(mac, text, context));
  assert.throws(() => sealRing([next]).isMac(mac, 'the text', 'a'), /no longer lists/);
});

test('a key is 32 bytes in base64, its URL alphabet, or hex, and all name the same key', () => {
  const bytes = randomBytes(32);
  const forms = [bytes.toString('base64'), bytes.toString('base64url'), bytes.toString('hex')] as const;
  const sealed = sealRing([forms[0]]).seal('x', 'a');
  for (const form of forms) {
    assert.match(form, new RegExp(SEAL_KEY_PATTERN));
    assert.equal(sealRing([form]).open(sealed, 'a'), 'x');
  }
  for (const wrong of [
    '',
    'short',
    bytes.toString('hex').slice(1),
    'a password of some forty-three characters!',
  ]) {
    assert.doesNotMatch(wrong, new RegExp(SEAL_KEY_PATTERN));
  }
});

test('the generated key is one file that only its owner may read, also when many ask at once', async (t) => {
  const folder = await temporaryFolder(t);
  const keys = await Promise.all(Array.from({ length: 20 }, () => ensureSealKeyFile(folder)));
  assert.equal(new Set(keys.flat()).size, 1);
  assert.deepEqual(await readdir(folder), ['seal.key']);
  assert.equal((await readFile(join(folder, 'seal.key'), 'utf8')).trim(), keys[0]?.join('\n'));
  assert.equal((await stat(join(folder, 'seal.key'))).mode & 0o777, 0o600);
});

test('a configured key comes before the generated one, which still opens', async (t) => {
  const folder = await temporaryFolder(t);
  const generated = await ensureSealKeyFile(folder);
  const configured = newKey();
  assert.deepEqual(await findSealKeys([configured], folder), [configured, ...generated]);
  assert.deepEqual(await findSealKeys(undefined, folder), generated);
});

test('the lines of a seal.key after a restore are keys of one item', async () => {
  const [one, other] = [newKey(), newKey()];
  const file = `${one}\n${other}`;
  assert.match(file, new RegExp(SEAL_KEY_PATTERN));
  assert.doesNotMatch(`${file}\nshort`, new RegExp(SEAL_KEY_PATTERN));
  assert.deepEqual(await findSealKeys([file], undefined), [one, other]);
});

test('a shared store without a configured key is refused with what to do', async () => {
  await assert.rejects(
    findSealKeys(undefined, undefined),
    /providers\.secrets\.keys is not set.*openssl rand -base64 32/,
  );
});
