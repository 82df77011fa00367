import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { rangeTest, type RangeOperator } from '../../../../plugins/dataquery/engine/values/range.js';
import { typeNamed } from '../../../../plugins/dataquery/engine/values/types.js';

describe('a range', () => {
  const printed: readonly [type: string, literal: string, text: string][] = [
    ['int4range', '[1,5]', '[1,6)'],
    ['int4range', ' (1,5) ', '[2,5)'],
    ['int4range', '(,5]', '(,6)'],
    ['int4range', '[ 1 ,]', '[1,)'],
    ['int4range', '[3,3)', 'empty'],
    ['int4range', '(3,4)', 'empty'],
    ['int4range', 'EMPTY', 'empty'],
    ['int8range', '[9007199254740991,9007199254740992]', '[9007199254740991,9007199254740993)'],
    ['numrange', '[1.50,2]', '[1.5,2]'],
    ['numrange', '[1.5,1.5]', '[1.5,1.5]'],
    ['daterange', '[2020-01-01,2020-02-29]', '[2020-01-01,2020-03-01)'],
    ['daterange', '[2020-01-01,infinity]', '[2020-01-01,infinity)'],
    ['tsrange', '[2020-01-01 10:00,"2020-01-02"]', '["2020-01-01 10:00:00","2020-01-02 00:00:00"]'],
    ['tstzrange', '["2020-01-01 10:00+02",)', '["2020-01-01 08:00:00+00",)'],
  ];
  for (const [type, literal, text] of printed) {
    test(`${type} ${literal} is ${text}, and stays so`, () => {
      const { parse, toText, toJson, fromJson } = typeNamed(type);
      assert.equal(toText(parse(literal)), text);
      assert.equal(toText(parse(text)), text);
      assert.equal(toJson(fromJson(literal)!), JSON.stringify(text));
    });
  }

  const refused: readonly [
    type: string,
    literal: string,
    code: string,
    details: string | RegExp | undefined,
  ][] = [
    ['int4range', '1,5', '22P02', 'Missing left parenthesis or bracket.'],
    ['int4range', '[1', '22P02', 'Missing comma after lower bound.'],
    ['int4range', '[1,2', '22P02', 'Too many commas, or no bracket at the end.'],
    ['int4range', '[1,2,3]', '22P02', 'Too many commas, or no bracket at the end.'],
    ['int4range', '[1,2]]', '22P02', 'Junk after right parenthesis or bracket.'],
    ['int4range', '[5,1]', '22000', undefined],
    ['int4range', '[a,1]', '22P02', undefined],
    ['int4range', '[1,2147483647]', '22003', undefined],
    ['int4range', '["",1]', '22P02', undefined],
    ['numrange', `[${'"'.repeat(5_001)}`, '22P02', 'Missing comma after lower bound.'],
  ];
  for (const [type, literal, code, details] of refused) {
    test(`${type} ${literal.slice(0, 20)} is refused with ${code}`, () => {
      assert.throws(
        () => typeNamed(type).parse(literal),
        (error: { code: string; fields: { details?: unknown } }) => {
          assert.equal(error.code, code);
          if (details !== undefined) assert.equal(error.fields.details, details);
          return true;
        },
      );
    });
  }

  test('may be given in JSON as an array of its bounds', () => {
    const { fromJson } = typeNamed('int4range');
    assert.equal(fromJson([1, 5]), '[1,6)');
    assert.equal(fromJson(null), null);
    assert.throws(() => fromJson({ lower: 1 }), { code: '22P02' });
  });

  test('relates to another as the numbers in them do', () => {
    const type = typeNamed('int4range');
    const numbers = Array.from({ length: 12 }, (_, at) => at);
    const bound = fc.option(fc.integer({ min: 2, max: 8 }), { nil: null });
    const literal = fc
      .tuple(fc.constantFrom('[', '('), bound, bound, fc.constantFrom(']', ')'))
      .filter(([, low, high]) => low === null || high === null || low <= high)
      .map(([open, low, high, close]) => `${open}${low ?? ''},${high ?? ''}${close}`);
    /** No bound reaches to the ends of `numbers`. */
    const members = (text: string): number[] => {
      const [, open, low, high, close] = /^(.)(.*),(.*)(.)$/.exec(text)!;
      return numbers.filter(
        (n) =>
          (low === '' || (open === '[' ? n >= Number(low) : n > Number(low))) &&
          (high === '' || (close === ']' ? n <= Number(high) : n < Number(high))),
      );
    };
    const expected: Record<RangeOperator, (a: number[], b: number[]) => boolean> = {
      cs: (a, b) => b.every((n) => a.includes(n)),
      cd: (a, b) => a.every((n) => b.includes(n)),
      ov: (a, b) => a.some((n) => b.includes(n)),
      sl: (a, b) => a.length > 0 && b.length > 0 && a.at(-1)! < b[0]!,
      sr: (a, b) => a.length > 0 && b.length > 0 && a[0]! > b.at(-1)!,
      nxr: (a, b) => a.length > 0 && b.length > 0 && a.at(-1)! <= b.at(-1)!,
      nxl: (a, b) => a.length > 0 && b.length > 0 && a[0]! >= b[0]!,
      adj: (a, b) => a.length > 0 && b.length > 0 && (a.at(-1)! + 1 === b[0]! || b.at(-1)! + 1 === a[0]!),
    };
    fc.assert(
      fc.property(literal, literal, (left, right) => {
        const [a, b] = [type.parse(left), type.parse(right)];
        for (const [op, holds] of Object.entries(expected) as [RangeOperator, (typeof expected)['cs']][]) {
          assert.equal(
            rangeTest(type, op, b)(a),
            holds(members(left), members(right)),
            `${left} ${op} ${right}`,
          );
        }
        assert.equal(Math.sign(type.compare(a, b)) + Math.sign(type.compare(b, a)), 0);
        assert.equal(type.compare(a, b) === 0, a === b);
      }),
    );
  });
});
