/** Documents are read back as they were written, whatever shapes were read before. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { encode } from '../../../../../plugins/storage/bson/encode.js';
import type { Values } from '../../../../../plugins/storage/bson/value.js';
import { decode } from '../../../../../plugins/storage/bson/decode.js';
import { membersOf } from '../../../../../plugins/storage/bson/shape.js';
import { value } from '../values.js';

const name = fc.oneof(
  fc.constantFrom('_id', 'a', 'b', 'ab', '__proto__', 'constructor', 'ä', ''),
  fc.string(),
);
const plainName = name.filter((text) => !text.includes('\0'));
const members = fc.uniqueArray(fc.tuple(plainName, value), { selector: ([key]) => key, maxLength: 12 });

/** As `decode` gives it: the id first, own members also under odd names. */
function documentOf(entries: readonly (readonly [string, unknown])[]): Values {
  return Object.fromEntries(entries) as Values;
}

test('only the members that are asked for are read, in the order of the document', () => {
  fc.assert(
    fc.property(members, fc.uniqueArray(plainName, { maxLength: 4 }), (entries, asked) => {
      const bytes = encode(documentOf(entries));
      const whole = decode(bytes);
      const some = decode(bytes, membersOf(asked));
      const expected = Object.entries(whole).filter(([key]) => asked.includes(key));
      assert.deepEqual(Object.entries(some), expected);
    }),
    { numRuns: 3000 },
  );
});

test('a shape that was met a thousand times gives what it gave the first time', () => {
  const bytes = encode({ _id: 'x', n: 1, ['__proto__']: { deep: [1, { a: null }] }, 'a"b\\': 'quoted' });
  const first = decode(bytes);
  for (let round = 0; round < 1000; round++)
    assert.deepEqual(Object.entries(decode(bytes)), Object.entries(first));
  assert.equal(Object.getPrototypeOf(decode(bytes)), Object.prototype);
  assert.deepEqual(Object.keys(first), ['_id', 'n', '__proto__', 'a"b\\']);
});

test('a shape does not keep the values of the documents before', () => {
  const bytes = encode({ _id: 'x', list: [{ a: 1 }, { a: 2 }] });
  for (let round = 0; round < 300; round++) decode(bytes);
  const one = decode(bytes);
  (one['list'] as Values[])[0]!['a'] = 'changed';
  assert.deepEqual(decode(bytes), { _id: 'x', list: [{ a: 1 }, { a: 2 }] });
});

test('more names than a shape keeps, and more shapes than are kept, are read all the same', () => {
  const wide = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`name${at}`, at]));
  assert.deepEqual(decode(encode({ _id: 'wide', ...wide })), { _id: 'wide', ...wide });
  assert.deepEqual(decode(encode({ _id: 'wide', ...wide }), membersOf(['name3', 'name150'])), {
    name3: 3,
    name150: 150,
  });
  for (let at = 0; at < 5000; at++)
    assert.deepEqual(decode(encode({ _id: 'x', [`only${at}`]: at })), { _id: 'x', [`only${at}`]: at });
});
