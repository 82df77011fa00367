import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readSafetensors } from '../../../../plugins/memory/engine/embedding/safetensors.js';
import { safetensors } from './static-model.js';

test('tensors of every supported type are read as 32-bit floats', () => {
  const bytes = (numbers: ArrayBufferView) => Buffer.from(numbers.buffer);
  const read = readSafetensors(
    safetensors({
      single: { dtype: 'F32', shape: [1, 2], bytes: bytes(Float32Array.of(1.5, -2)) },
      double: { dtype: 'F64', shape: [1], bytes: bytes(Float64Array.of(0.25)) },
      half: { dtype: 'F16', shape: [4], bytes: bytes(Uint16Array.of(0x3c00, 0xc000, 0x0001, 0x7c00)) },
      brain: { dtype: 'BF16', shape: [2], bytes: bytes(Uint16Array.of(0x3f80, 0xc000)) },
      rows: { dtype: 'I64', shape: [2], bytes: bytes(BigInt64Array.of(7n, 0n)) },
    }),
  );
  assert.deepEqual(read.get('single'), { shape: [1, 2], values: Float32Array.of(1.5, -2) });
  assert.deepEqual(read.get('double')?.values, Float32Array.of(0.25));
  assert.deepEqual(read.get('half')?.values, Float32Array.of(1, -2, 2 ** -24, Infinity));
  assert.deepEqual(read.get('brain')?.values, Float32Array.of(1, -2));
  assert.deepEqual(read.get('rows')?.values, Float32Array.of(7, 0));
});

test('a header that points out of the file, or lies about a shape, is refused by name', () => {
  const tensor = { dtype: 'F32', shape: [2], bytes: Buffer.alloc(8) };
  const lie = (described: object) => () => readSafetensors(safetensors({ t: { ...tensor, ...described } }));
  assert.throws(lie({ shape: [3] }), /tensor "t" \(3\) does not fit its place/);
  assert.throws(lie({ data_offsets: [0, 4096], shape: [1024] }), /does not fit its place/);
  assert.throws(lie({ data_offsets: [8, 0] }), /does not fit its place/);
  assert.throws(lie({ data_offsets: [-8, 0] }), /no valid shape or offsets/);
  assert.throws(lie({ dtype: 'Q4' }), /has the type "Q4"/);
  const huge = Buffer.alloc(16);
  huge.writeBigUInt64LE(2n ** 63n);
  assert.throws(() => readSafetensors(huge), /header of 9223372036854775808 bytes does not fit/);
});

test('no file crashes the reader: it is read, or refused with an Error', () => {
  const header = fc.json().map((json) => Buffer.concat([length(Buffer.byteLength(json)), Buffer.from(json)]));
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array(), header), (file) => {
      try {
        readSafetensors(file);
      } catch (error) {
        assert.equal((error as Error).constructor, Error);
      }
    }),
  );
});

function length(bytes: number): Buffer {
  const encoded = Buffer.alloc(8);
  encoded.writeBigUInt64LE(BigInt(bytes));
  return encoded;
}
