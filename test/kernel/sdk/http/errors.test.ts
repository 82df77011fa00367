import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defineErrors, isServiceError, token } from 'plugboard/sdk';

const errors = defineErrors({
  no_such_book: { status: 404, message: 'there is no book {id} in {place}', when: 'never', type: 'books' },
});

test('an error of the table fills its sentence and keeps the fields for the dialect', () => {
  const error = errors.no_such_book({
    values: { id: 7, place: 'room' },
    param: 'id',
    headers: { allow: 'GET' },
  });
  assert.equal(error.message, 'there is no book 7 in room');
  assert.deepEqual(
    [error.code, error.status, error.headers, error.fields],
    ['no_such_book', 404, { allow: 'GET' }, { type: 'books', param: 'id' }],
  );
});

test('what the caller sent makes no message long', () => {
  const long = 'x'.repeat(1_000_000);
  assert.ok(errors.no_such_book({ values: { id: long, place: long } }).message.length < 2_000);
  assert.ok(errors.no_such_book({ message: `malformed: "${long}"` }).message.length < 11_000);
});

test('an error is known by its brand, so one of another copy of the SDK counts too', () => {
  const brand = Symbol.for('plugboard.ServiceError');
  assert.equal(isServiceError(errors.no_such_book()), true);
  assert.equal(isServiceError({ [brand]: true, status: 400 }), true);
  assert.equal(isServiceError(new Error('x')), false);
});

test('a token without a version of its interface is refused', () => {
  assert.throws(() => token('events.feed'), /interface version/);
  assert.equal(token('events.feed@1').key, Symbol.for('events.feed@1'));
});
