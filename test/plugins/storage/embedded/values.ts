/** Arbitrary values of the port. */
import fc from 'fast-check';

export const scalar: fc.Arbitrary<unknown> = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.integer({ min: -3, max: 3 }),
  fc.integer(),
  fc.double({ noNaN: true }),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 3n }),
  fc.string({ maxLength: 4 }),
  fc.string({ maxLength: 4, unit: 'binary' }),
  fc.constantFrom('', '\0', 'a\0', 'a\0b', '\uffff', '😀', 'a'.repeat(3000), 'a'.repeat(3001)),
  fc.date({ noInvalidDate: true }),
  fc.uint8Array({ maxLength: 3 }),
);

export const value: fc.Arbitrary<unknown> = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('any'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).any;
