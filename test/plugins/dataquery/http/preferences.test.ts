import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePreferences, preferenceApplied } from '../../../../plugins/dataquery/front/http/preferences.js';

const ALL = [
  'resolution',
  'missing',
  'return',
  'count',
  'tx',
  'handling',
  'timezone',
  'max-affected',
] as const;

test('honoured preferences are listed in one order, whatever the order of the header', () => {
  const preferences = parsePreferences(
    'tx=rollback, count=exact,return=representation , resolution=merge-duplicates',
  );
  assert.equal(
    preferenceApplied(preferences, ALL),
    'resolution=merge-duplicates, return=representation, count=exact, tx=rollback',
  );
});

test('the first of several values for one preference counts', () => {
  assert.equal(parsePreferences('return=minimal, return=representation').returning, 'minimal');
});

test('with strict handling unknown preferences are refused by name', () => {
  assert.throws(() => parsePreferences('handling=strict, something, else'), {
    code: 'SVC122',
    fields: { details: 'Invalid preferences: something, else' },
  });
  assert.equal(preferenceApplied(parsePreferences('anything'), ALL), undefined);
});

test('max-affected binds only when handling is strict', () => {
  assert.equal(parsePreferences('handling=strict, max-affected=3').maxAffected, 3);
  const lenient = parsePreferences('handling=lenient, max-affected=3');
  assert.equal(lenient.maxAffected, undefined);
  assert.equal(preferenceApplied(lenient, ALL), 'handling=lenient');
});
