/** Sizes and nestings that nobody means well with, as fast-check arbitraries: whole bodies, and values of parameters. */
import * as fc from 'fast-check';

const repetitions = fc.constantFrom(2, 64, 511, 513, 3_000);

/** JSON, or nearly: deep, wide, or with numbers of many digits. */
export const hostileBody: fc.Arbitrary<string> = fc.oneof(
  nested('[', ']'),
  nested('{"a":', '}'),
  nested('{"and":[', ']}'),
  nested('[{"content":', '}]'),
  repetitions.map((count) => '['.repeat(count)),
  repetitions.map((count) => `{"input":[${Array(count).fill('"a"').join(',')}]}`),
  repetitions.map((count) => `{${Array.from({ length: count }, (_, at) => `"k${at}":0`).join(',')}}`),
  repetitions.map((count) => `{"id":1${'0'.repeat(count)}}`),
  repetitions.map((count) => `{"id":1e${'9'.repeat(count)}}`),
  repetitions.map((count) => `{"text":"${'\\u0000'.repeat(count)}"}`),
);

/** Texts that a parser of queries, patterns, numbers or times may repeat, nest or count by. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  nested('(', ')'),
  nested('and(not.', ')'),
  nested('a(', ')'),
  fc.constant(`match.${'('.repeat(5)}${'){255}'.repeat(5)}`),
  fc
    .tuple(
      repetitions,
      fc.constantFrom('0', ' ', ',', '%', '*', '(a*)', '"', '\\', 'a->', '::', '..', '-', '9', 'é', '&or='),
    )
    .map(([count, part]) => part.repeat(count)),
  fc.constantFrom(
    '9223372036854775808',
    '-0',
    '1e400',
    'NaN',
    '2026-02-30T24:00:60Z',
    '9999999-01-01',
    'phfts.'.padEnd(3_000, 'a '),
  ),
);

function nested(open: string, close: string): fc.Arbitrary<string> {
  return repetitions.map((count) => `${open.repeat(count)}0${close.repeat(count)}`);
}
