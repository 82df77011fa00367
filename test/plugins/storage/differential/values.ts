/** Random values and documents: few names and few values, so that they meet. */
import fc from 'fast-check';
import type { Anything } from '../../../support/storage/store-of-test.js';

/** The time on both stores' clocks: ahead of the real one, so that MongoDB's own sweeper removes nothing that lives. */
export const NOW = Date.UTC(2100, 0, 1);
/** What the collection with expiry adds to `at`. */
export const EXPIRE_AFTER_SECONDS = 60;

export const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
const member = fc.constantFrom('n', 's', 'l', 'o', 'u', 'at');
export const path = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.constantFrom('n', 's', 'l', 'o', 'o.n', 'o.s', 'l.0', 'l.n', 'l.0.n', 'u', 'at'),
  },
  // Positions in arrays of arrays, and names that are positions in an array and members of an object.
  fc.constantFrom('l.1', 'l.0.0', 'l.n.n', 'l.n.0', 'o.n.0', 'o.n.n.n', 'o.0', 'n.0', 'l.0.0.n', 'missing'),
);

export const number: fc.Arbitrary<number | bigint> = fc.constantFrom(
  0,
  -0,
  1,
  2,
  -1,
  0.5,
  NaN,
  Infinity,
  -Infinity,
  5e-324,
  Number.MAX_VALUE,
  2 ** 31,
  -(2 ** 31),
  2 ** 53,
  2 ** 53 + 2,
  2 ** 63,
  0n,
  1n,
  2n ** 53n + 1n,
  2n ** 60n,
  2n ** 63n - 1n,
  -(2n ** 63n),
);
/** The last are longer than what an index of the embedded store keeps of a string, and differ after it. */
const text = fc.constantFrom(
  ...['', 'a', 'ab', 'B', 'b', 'a\nb', 'b\n', 'a\0', 'é', 'e\u0301', '\u{1f600}', '\uffff', '0', '1', '$n'],
  ...['a'.repeat(3000), 'a'.repeat(3000) + 'b', 'a'.repeat(2999) + 'b', 'é'.repeat(1500)],
);
/** The last two are the first instant that has expired, and the last that has not. */
const date = fc
  .constantFrom(
    ...[0, 1, -1, -1000, 1000, -(2 ** 40), -8.64e15, 8.64e15],
    ...[NOW - EXPIRE_AFTER_SECONDS * 1000, NOW - EXPIRE_AFTER_SECONDS * 1000 + 1],
  )
  .map((time) => new Date(time));
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 2 }).map((items) => new Uint8Array(items)),
  fc.constantFrom(1999, 2000).map((length) => new Uint8Array(length).fill(7)),
);

export const scalar: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: number },
  { weight: 3, arbitrary: text },
  { weight: 2, arbitrary: date },
  fc.constantFrom(null, true, false),
  bytes,
);
const object = fc.oneof(
  scalar.map((n) => ({ n })),
  scalar.map((s) => ({ s })),
  fc.tuple(scalar, scalar).map(([n, s]) => ({ n, s })),
  fc.tuple(scalar, scalar).map(([n, s]) => ({ s, n })),
  fc.array(scalar, { maxLength: 2 }).map((n) => ({ n })),
  scalar.map((n) => ({ n: { n } })),
  scalar.map((n) => ({ n: [{ n }] })),
  // A name that is also a position.
  scalar.map((first) => ({ 0: first })),
  fc.constant({}),
);
const array = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: scalar },
    { weight: 2, arbitrary: object },
    fc.array(scalar, { maxLength: 2 }),
    fc.array(fc.oneof(object, fc.array(scalar, { maxLength: 2 })), { maxLength: 2 }),
  ),
  { maxLength: 3 },
);
export const value: fc.Arbitrary<unknown> = fc.oneof({ weight: 4, arbitrary: scalar }, object, array);

const members = fc.dictionary(member, value, { maxKeys: 4 });
export const document = fc.tuple(id, members).map(([_id, rest]): Anything => ({ ...rest, _id }));
