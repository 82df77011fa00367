/** What a caller is told of a request that its schema refuses. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'plugboard/sdk';
import { RequestSchemas } from '../../../../kernel/http/requests/request-schemas.js';

const told = (schema: object, value: unknown): string | undefined =>
  (new RequestSchemas().compile('body', schema)(value) as { error?: Error }).error?.message;

test('a value of a union is told its choices', () => {
  const group = Type.Object({ group: Type.Union(['model', 'key', 'day'].map((name) => Type.Literal(name))) });
  assert.equal(told(group, { group: 'x' }), 'group must be one of "model", "key", "day"');
  const nullable = Type.Object({ tone: Type.Union([Type.Literal('a'), Type.Literal('b'), Type.Null()]) });
  assert.equal(told(nullable, { tone: 'x' }), 'tone must be one of "a", "b" or of type null');
  assert.equal(told(Type.Object({ yes: Type.Literal(true) }), { yes: false }), 'yes must be true');
});

test('a value that has the type of one member of a union is told what is wrong inside of it', () => {
  const input = Type.Object({
    input: Type.Union([Type.String(), Type.Array(Type.String(), { minItems: 1 })]),
  });
  assert.equal(told(input, { input: [] }), 'input must not have fewer than 1 items');
  assert.equal(told(input, { input: 5 }), 'input must be of type string or array');
});

test('a member of a union that names itself is told what it lacks, and an unknown name the names', () => {
  const file = Type.Object({ kind: Type.Literal('file'), purpose: Type.String() });
  const card = Type.Object({ kind: Type.Literal('card') });
  assert.equal(told(Type.Union([card, file]), { kind: 'file' }), 'purpose is required');
  assert.equal(
    told(Type.Union([card, Type.Object({ kind: Type.Literal('file') }), card]), { kind: 'x' }),
    'kind must be one of "card", "file"',
  );
});

test('a text that is not of its form is told the form in words', () => {
  const at = Type.Object({ at: Type.String({ format: 'date-time' }) });
  assert.equal(told(at, { at: '90d' }), 'at must be a time with its offset, such as 2026-01-31T09:00:00Z');
  assert.equal(told(Type.Object({ a: Type.String({ pattern: '\\S' }) }), { a: ' ' }), 'a must not be blank');
});
