import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { constantTimeEqual, newId, open, randomToken, seal, sha256 } from 'plugboard/sdk';

test('what is sealed opens with its key and context only, and not when one bit changes', () => {
  const key = randomBytes(32);
  const sealed = seal('열쇠', key, 'store/key');
  assert.equal(open(sealed, key, 'store/key'), '열쇠');
  assert.throws(() => open(sealed, key, 'another'));
  assert.throws(() => open(sealed, randomBytes(32), 'store/key'));
  const bytes = Buffer.from(sealed, 'base64url');
  bytes[30] = (bytes[30] ?? 0) ^ 1;
  assert.throws(() => open(bytes.toString('base64url'), key, 'store/key'));
});

test('tokens and ids are random, of the length they promise', () => {
  assert.equal(randomToken(32).length, 43);
  assert.notEqual(randomToken(), randomToken());
  assert.match(newId(), /^[0-9a-f]{8}-[0-9a-f]{4}-4/);
});

test('texts are equal in constant time, and a hash is that of the standard', () => {
  assert.equal(constantTimeEqual('secret', 'secret'), true);
  assert.equal(constantTimeEqual('secret', 'secreT'), false);
  assert.equal(constantTimeEqual('secret', 'longer secret'), false);
  assert.equal(sha256('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});
