import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashPassword, verifyPassword } from '../../../plugins/auth/password/hash.js';

test('a password is verified against its hash, in any Unicode normal form, and a foreign text never matches', async () => {
  const hashed = await hashPassword('caf\u00e9');
  assert.match(hashed, /^scrypt\$32768\$8\$1\$/);
  assert.equal(await verifyPassword('cafe\u0301', hashed), true);
  assert.equal(await verifyPassword('cafe', hashed), false);
  assert.equal(await verifyPassword('x', 'plain text'), false);
});
