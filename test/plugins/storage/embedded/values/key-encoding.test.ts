/** The order of encoded keys is the order of the values. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { encode } from '../../../../../plugins/storage/bson/encode.js';
import { decode } from '../../../../../plugins/storage/bson/decode.js';
import { encodeKey, encodePart } from '../../../../../plugins/storage/embedded/values/key-encoding.js';
import { compare } from '../../../../../plugins/storage/order.js';
import { value } from '../values.js';

const sign = (order: number): number => Math.sign(order);

test('two encoded values compare as the values do', () => {
  fc.assert(
    fc.property(value, value, (a, b) => {
      assert.equal(sign(Buffer.compare(encodeKey(a), encodeKey(b))), sign(compare(a, b)));
    }),
    { numRuns: 5000 },
  );
});

test('of two different values neither encoding begins with the other', () => {
  fc.assert(
    fc.property(value, value, (a, b) => {
      const [short, long] = [encodeKey(a), encodeKey(b)].sort((x, y) => x.length - y.length);
      assert.equal(short!.equals(long!.subarray(0, short!.length)), compare(a, b) === 0);
    }),
    { numRuns: 5000 },
  );
});

test('a part of a key is never longer than its share, and stays the same for equal values', () => {
  const long = encodePart('x'.repeat(5000), -1, 2);
  assert.ok(long.truncated && long.bytes.length <= 850);
  assert.ok(long.bytes.equals(encodePart('x'.repeat(5000), -1, 2).bytes));
  assert.ok(!long.bytes.equals(encodePart(`${'x'.repeat(5000)}y`, -1, 2).bytes));
});

test('a document survives being encoded', () => {
  fc.assert(
    fc.property(value, (member) => {
      const document = { _id: 'a', member };
      assert.deepEqual(decode(encode(document)), document);
    }),
    { numRuns: 2000 },
  );
});
