import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { packMetadata, unpackMetadata } from '../../../../plugins/memory/engine/entries/metadata.js';

test('any metadata comes back as it was, and no stored name means anything to an update', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (metadata) => {
      const packed = packMetadata(metadata);
      assert.deepEqual(
        JSON.parse(JSON.stringify(unpackMetadata(packed))),
        JSON.parse(JSON.stringify(metadata)),
      );
      for (const name of Object.keys(packed)) assert.match(name, /^_[^.$\0]*$/);
    }),
  );
});
