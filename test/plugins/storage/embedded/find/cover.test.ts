/** Which queries are answered from the entries of an index alone, without a document. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FindOptions } from 'plugboard/sdk';
import { toDefinition } from '../../../../../plugins/storage/embedded/definition.js';
import { prepare } from '../../../../../plugins/storage/embedded/find/query.js';

function isCovered(traits: object, filter: object, options: FindOptions): boolean {
  const index = {
    number: 1,
    spec: { keys: { a: 1, b: 1 } },
    multikey: 0,
    truncated: false,
    readable: true,
  } as const;
  const collection = toDefinition('rows', {
    number: 0,
    logged: false,
    longIds: false,
    indexes: [{ ...index, ...traits }],
  });
  const { plan } = prepare(collection, filter, options, 0);
  assert.equal(plan.access, 'index');
  return plan.access === 'index' && plan.cover !== undefined;
}

const SHOWN = { projection: { a: 1, b: 1 } } as const;

test('an index answers alone what reads its members and the id', () => {
  for (const [filter, options] of [
    [{ a: { $gte: 1 } }, SHOWN],
    [{ a: { $gte: 1 } }, { projection: { b: 1, _id: 0 } }],
    [{ a: 1, b: { $ne: 2 } }, { projection: { _id: 1 } }],
    [{ a: { $in: [1, 2, 3] } }, { ...SHOWN, sort: { a: 1 } }],
  ] as [object, FindOptions][])
    assert.ok(isCovered({}, filter, options), JSON.stringify([filter, options]));
});

test('an index does not answer alone what reads another member, or all of them', () => {
  for (const [filter, options] of [
    [{ a: { $gte: 1 } }, {}],
    [{ a: { $gte: 1 } }, { projection: { a: 1, c: 1 } }],
    [{ a: { $gte: 1 }, c: 1 }, SHOWN],
    [{ a: { $gte: 1 } }, { ...SHOWN, sort: { c: 1 } }],
  ] as [object, FindOptions][])
    assert.ok(!isCovered({}, filter, options), JSON.stringify([filter, options]));
});

test('an index that has met an array, a cut text or a value that its key does not give back is not read alone', () => {
  for (const traits of [{ multikey: 1 }, { truncated: true }, { readable: false }, { readable: undefined }])
    assert.ok(!isCovered(traits, { a: { $gte: 1 } }, SHOWN), JSON.stringify(traits));
});
