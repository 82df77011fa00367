import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { membersOf } from '../../../plugins/router/call/members.js';

function memberTexts(text: string): Map<string, string> {
  return new Map(Array.from(membersOf(text).spans, ([name, { from, to }]) => [name, text.slice(from, to)]));
}

test('each member has the text that was written for it, white space inside included', () => {
  const text = ` {\r\n"n" : 9007199254740993 ,"t":"a\\"}\\\\","o": { "x" : [1, 2.50] },\t"last":-0}\n`;
  assert.deepEqual(Object.fromEntries(memberTexts(text)), {
    n: '9007199254740993',
    t: '"a\\"}\\\\"',
    o: '{ "x" : [1, 2.50] }',
    last: '-0',
  });
});

test('names are read, whatever escapes they hold; of two with one name the last counts', () => {
  assert.deepEqual(
    [...memberTexts('{"\\u0061":1,"q\\"":2,"a":3}')],
    [
      ['a', '3'],
      ['q"', '2'],
    ],
  );
});

test('a duplicate name is seen, however it is written', () => {
  assert.equal(membersOf('{"a":1,"b":{"a":2}}').areDistinct, true);
  assert.equal(membersOf('{"a":1,"\\u0061":2}').areDistinct, false);
});

test('an empty object has no members', () => {
  assert.equal(memberTexts(' { } ').size, 0);
});

test('for any object, in any layout, the texts are the values', () => {
  const indents = fc.constantFrom(undefined, 1, '\t', ' \r\n ');
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), indents, (object, indent) => {
      const written = JSON.stringify(object, null, indent);
      const texts = [...memberTexts(written)].map(([name, text]) => [name, JSON.parse(text) as unknown]);
      assert.deepEqual(texts, Object.entries(JSON.parse(written) as object));
    }),
  );
});
