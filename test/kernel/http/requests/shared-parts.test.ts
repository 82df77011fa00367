/** Repeated parts of a schema are compiled once and judged as if in place. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withSharedParts } from '../../../../kernel/http/requests/shared-parts.js';
import { RequestSchemas } from '../../../../kernel/http/requests/request-schemas.js';

const place = {
  type: 'object',
  properties: {
    line1: { type: 'string', maxLength: 10 },
    country: { type: 'string', pattern: '^[A-Z]{2}$', default: 'KR' },
  },
  required: ['line1'],
  additionalProperties: false,
};
const schema = {
  type: 'object',
  properties: { home: place, work: place, others: { type: 'array', items: place } },
  additionalProperties: false,
};

const validate = (value: unknown) => new RequestSchemas().compile('body', schema)(value);

test('a part that is repeated is written once', () => {
  const { properties, $defs } = withSharedParts(schema) as {
    properties: Record<string, object>;
    $defs: Record<string, object>;
  };
  assert.deepEqual($defs, { part0: place });
  assert.deepEqual(properties['home'], { $ref: '#/$defs/part0' });
  assert.deepEqual(properties['others'], { type: 'array', items: { $ref: '#/$defs/part0' } });
});

test('what is refused in a repeated part is named by its path', () => {
  const cases: [unknown, string][] = [
    [{ home: { line1: 'a' }, work: {} }, 'work.line1 is required'],
    [{ others: [{ line1: 'a' }, { line1: 5 }] }, 'others.1.line1 must be of type string'],
    [{ work: { line1: 'a', contry: 'KR' } }, 'work.contry is not a known property; did you mean "country"?'],
    [{ home: 5 }, 'home must be of type object'],
  ];
  for (const [value, message] of cases)
    assert.equal((validate(value) as { error: Error }).error.message, message);
});

test('defaults in a repeated part are filled in', () => {
  const body = { home: { line1: 'a' }, others: [{ line1: 'b' }] };
  assert.equal(validate(body), true);
  assert.deepEqual(body, {
    home: { line1: 'a', country: 'KR' },
    others: [{ line1: 'b', country: 'KR' }],
  });
});

test('values that look like schemas stay values', () => {
  const value = { properties: { a: place }, other: { a: place } };
  const withData = { type: 'object', properties: { a: { const: value }, b: { enum: [value] } } };
  assert.equal(withSharedParts(withData), withData);
});

test('a schema with references of its own stays as it is', () => {
  const own = {
    ...schema,
    $defs: { a: place },
    properties: { a: { $ref: '#/$defs/a' }, b: place, c: place },
  };
  assert.equal(withSharedParts(own), own);
});
