import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { isServiceError } from 'plugboard/sdk';
import { castValue } from '../../../../plugins/dataquery/engine/values/cast.js';
import { knownType, typeNamed } from '../../../../plugins/dataquery/engine/values/types.js';

/** Type, what a body holds, and its JSON text in an answer. */
const PRINTED: readonly [type: string, value: unknown, json: string][] = [
  ['smallint', '-32768', '-32768'],
  ['int4', ' 7 ', '7'],
  ['bigint', '9223372036854775807', '9223372036854775807'],
  ['oid', 12345, '"12345"'],
  ['numeric', '-0012.3400', '-12.34'],
  ['numeric', '123456789012345678901234567890.5', '123456789012345678901234567890.5'],
  ['numeric', 'NaN', '"NaN"'],
  ['numeric(5,2)', 1.005, '1.01'],
  ['numeric(5,2)', 3, '3.00'],
  ['money', '30000', '"$30,000.00"'],
  ['money', '-$1,234.5', '"-$1,234.50"'],
  ['real', 0.1, '0.1'],
  ['double precision', '1e21', '1e+21'],
  ['double precision', 'Infinity', '"Infinity"'],
  ['boolean', 'ye', 'true'],
  ['text', 5, '"5"'],
  ['text', { a: 1 }, '"{\\"a\\":1}"'],
  ['character(5)', 'ab', '"ab   "'],
  ['character varying(3)', 'abc  ', '"abc"'],
  ['uuid', '{A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11}', '"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"'],
  ['bytea', '\\xDEADBEEF', '"\\\\xdeadbeef"'],
  ['bit(5)', '00101', '"00101"'],
  ['date', '2024-02-29', '"2024-02-29"'],
  ['date', '0044-03-15 BC', '"0044-03-15 BC"'],
  ['date', 'infinity', '"infinity"'],
  ['time', '13:00', '"13:00:00"'],
  ['timetz', '06:00:00.5-05:30', '"06:00:00.5-05:30"'],
  ['timestamp', '2015-12-08T04:22:57.472738', '"2015-12-08T04:22:57.472738"'],
  ['timestamptz', '2017-12-14 01:02:30+02', '"2017-12-13T23:02:30+00:00"'],
  ['timestamptz', '9999-12-31 23:59:59.999999Z', '"9999-12-31T23:59:59.999999+00:00"'],
  ['jsonb', { bb: 1, a: [null, { c: 'x' }] }, '{"a": [null, {"c": "x"}], "bb": 1}'],
  ['json', 'text', '"text"'],
  ['integer[]', '{1,NULL,{2,3}}', '[1,null,[2,3]]'],
  ['text[]', ['a,b', 'NULL', null], '["a,b","NULL",null]'],
  ['geometry(Point,4326)', { type: 'Point' }, '{"type":"Point"}'],
];

const REFUSED: readonly [type: string, value: unknown, code: string, message: string][] = [
  ['integer', 'x', '22P02', 'invalid input syntax for type integer: "x"'],
  ['integer', '', '22P02', 'invalid input syntax for type integer: ""'],
  ['integer', 3.5, '22P02', 'invalid input syntax for type integer: "3.5"'],
  ['integer', 2147483648, '22003', 'value "2147483648" is out of range for type integer'],
  ['bigint', '9223372036854775808', '22003', 'value "9223372036854775808" is out of range for type bigint'],
  ['numeric', '1,5', '22P02', 'invalid input syntax for type numeric: "1,5"'],
  ['numeric(3,1)', '99.95', '22003', 'numeric field overflow'],
  ['double precision', '1e400', '22003', '"1e400" is out of range for type double precision'],
  ['boolean', 'maybe', '22P02', 'invalid input syntax for type boolean: "maybe"'],
  ['date', '2023-02-29', '22008', 'date/time field value out of range: "2023-02-29"'],
  ['date', 'soon', '22007', 'invalid input syntax for type date: "soon"'],
  ['timestamptz', '', '22007', 'invalid input syntax for type timestamp with time zone: ""'],
  ['time', '25:00', '22008', 'date/time field value out of range: "25:00"'],
  ['character varying(3)', 'abcd', '22001', 'value too long for type character varying(3)'],
  ['text', 'a\0b', '22P05', 'unsupported Unicode escape sequence'],
  ['uuid', 'x', '22P02', 'invalid input syntax for type uuid: "x"'],
  ['bit(5)', '101', '22026', 'bit string length 3 does not match type bit(5)'],
  ['integer[]', '{1,', '22P02', 'malformed array literal: "{1,"'],
  ['integer[]', 5, '22P02', 'expected JSON array'],
  ['integer[]', ['x'], '22P02', 'invalid input syntax for type integer: "x"'],
];

describe('values of a body', () => {
  for (const [type, value, json] of PRINTED) {
    test(`${type} reads ${JSON.stringify(value)} and prints ${json}`, () => {
      const known = typeNamed(type);
      const stored = known.fromJson(value);
      assert.ok(stored !== null);
      assert.equal(known.toJson(stored), json);
    });
  }
  for (const [type, value, code, message] of REFUSED) {
    test(`${type} refuses ${JSON.stringify(value)} with ${code}`, () => {
      assert.throws(
        () => typeNamed(type).fromJson(value),
        (error) => isServiceError(error) && error.code === code && error.message === message,
      );
    });
  }
});

test('now, today, tomorrow and yesterday are moments', () => {
  const today = Math.floor(Date.now() / 86_400_000);
  const { parse } = typeNamed('date');
  const days = ['yesterday', ' TODAY ', 'tomorrow'].map((word) => Number(parse(word)) - today);
  // The day may end while this runs.
  assert.ok([days[0] === -1, days[0] === 0].includes(true) && days[2] === days[0]! + 2, String(days));
  const now = Number(typeNamed('timestamptz').parse('now')) / 1_000;
  assert.ok(now >= today * 86_400_000 && now <= Date.now() + 1_000, String(now));
  assert.throws(() => parse('constructor'), { code: '22007' });
});

describe('the stored form', () => {
  const orders: readonly [
    type: string,
    literal: fc.Arbitrary<string>,
    key: (literal: string) => bigint | number,
  ][] = [
    ['bigint', fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String), BigInt],
    [
      'numeric',
      fc
        .tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.integer({ min: 0, max: 12 }))
        .map(scaled),
      (text) => scaledUp(text),
    ],
    [
      'date',
      fc
        .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
        .map((d) => d.toISOString().slice(0, 10)),
      Date.parse,
    ],
    [
      'timestamptz',
      fc
        .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
        .map((d) => d.toISOString()),
      Date.parse,
    ],
  ];
  for (const [type, literal, key] of orders) {
    test(`of ${type} sorts in storage as the values do`, () => {
      const { parse, compare } = typeNamed(type);
      fc.assert(
        fc.property(literal, literal, (a, b) => {
          const [left, right] = [parse(a), parse(b)];
          const wanted = key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0;
          assert.equal(Math.sign(compare(left, right)), wanted);
          // Numbers and strings of code units of one byte: JavaScript's order is the storage's.
          assert.equal(left < right ? -1 : left > right ? 1 : 0, wanted);
        }),
      );
    });
  }

  test('of every type prints a literal that reads back as the same value', () => {
    const literals = fc.constantFrom(...PRINTED.filter(([type]) => knownType(type) !== undefined));
    fc.assert(
      fc.property(literals, ([name, value]) => {
        const type = typeNamed(name);
        const stored = type.fromJson(value);
        assert.ok(stored !== null);
        assert.equal(type.compare(type.parse(type.toText(stored)), stored), 0);
      }),
    );
  });

  test('of text compares by code point, also beyond the basic plane', () => {
    const { compare } = typeNamed('text');
    assert.ok(compare('\u{1f600}', '\uffee') > 0);
    assert.ok(compare('Z', 'a') < 0);
  });

  test('of equal jsonb values is one text, whatever the order of their keys', () => {
    const { parse } = typeNamed('jsonb');
    assert.equal(parse('{"a":1,"bb":{"y":1,"x":2}}'), parse('{"bb":{"x":2,"y":1},"a":1}'));
  });
});

test('any text is read or refused with an error for the client', () => {
  const names = fc.constantFrom(...PRINTED.map(([type]) => type));
  fc.assert(
    fc.property(names, fc.oneof(fc.string(), fc.jsonValue()), (name, value) => {
      try {
        const type = typeNamed(name);
        const stored = type.fromJson(value);
        if (stored !== null) JSON.parse(type.toJson(stored));
      } catch (error) {
        assert.ok(isServiceError(error), String(error));
      }
    }),
    { numRuns: 2_000 },
  );
});

test('casts round as PostgreSQL does', () => {
  const cast = (value: string, from: string, to: string): string => {
    const [source, target] = [typeNamed(from), typeNamed(to)];
    return target.toText(castValue(source.parse(value), source, target));
  };
  assert.equal(cast('2.5', 'numeric', 'integer'), '3');
  assert.equal(cast('2.5', 'double precision', 'integer'), '2');
  assert.equal(cast('-2.5', 'numeric', 'integer'), '-3');
  assert.equal(cast('2024-02-29 12:00', 'timestamp', 'date'), '2024-02-29');
  assert.equal(cast('abcdef', 'text', 'varchar(3)'), 'abc');
  assert.throws(() => cast('2024-02-29', 'date', 'integer'), { code: '42846' });
});

function scaled([digits, scale]: [bigint, number]): string {
  const text = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0');
  const at = text.length - scale;
  return `${digits < 0n ? '-' : ''}${text.slice(0, at)}.${text.slice(at)}0`;
}

function scaledUp(text: string): bigint {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole.replace(/^-0+$/, '-0') + fraction.padEnd(14, '0'));
}
