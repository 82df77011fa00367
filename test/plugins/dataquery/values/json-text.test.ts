import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { jsonText, parseJson } from '../../../../plugins/dataquery/engine/values/json-text.js';

test('numbers beyond the precision of a double come out as they went in', () => {
  const text = '{"id":9007199254740993,"list":[1.2345678901234567890,{"e":1e400}],"s":"9007199254740993"}';
  assert.equal(jsonText(parseJson(text)), text);
});

test('numbers beyond a double are kept next to anything: names of prototypes, repeated members, strings that look like them', () => {
  const exact = '{"__proto__":12345678901234567890,"a":["12345678901234567890",-0.1e-400,true,null,1e5]}';
  assert.equal(jsonText(parseJson(exact)), exact.replace('1e5', '100000'));
  assert.equal(jsonText(parseJson('{"a":1,"a":12345678901234567890}')), '{"a":12345678901234567890}');
});

test('everything else is what JSON.parse makes of it', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      assert.deepEqual(JSON.parse(jsonText(parseJson(text))), JSON.parse(text));
    }),
  );
});

test('a text that is no JSON is a syntax error', () => {
  assert.throws(() => parseJson('{"a":9007199254740993,}'), SyntaxError);
});
