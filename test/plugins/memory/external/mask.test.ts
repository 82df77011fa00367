import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maskKey } from '../../../../plugins/memory/engine/external/mask.js';

test('a mask shows the last four characters, and none of a key shorter than twelve', () => {
  assert.equal(maskKey('abcdefgh1234'), '***1234');
  assert.equal(maskKey('abcdefgh123'), '***');
  assert.equal(maskKey('a'), '***');
});
