import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseExpiry } from '../../../plugins/auth/commands/expiry.js';

const now = Date.parse('2026-11-21T12:00:00Z');

test('an expiry is a span from now, a date, or a time', () => {
  const cases = {
    '30m': '2026-11-21T12:30:00.000Z',
    '12h': '2026-11-22T00:00:00.000Z',
    '90d': '2027-02-19T12:00:00.000Z',
    '2027-01-31': '2027-01-31T00:00:00.000Z',
    '2027-01-31T08:00': '2027-01-31T08:00:00.000Z',
    '2027-01-31T08:00:00Z': '2027-01-31T08:00:00.000Z',
    '2027-01-31T08:00:00+09:00': '2027-01-30T23:00:00.000Z',
  };
  for (const [text, time] of Object.entries(cases))
    assert.equal(parseExpiry(text, now).toISOString(), time, text);
});

test('anything else is refused with both forms', () => {
  for (const text of ['', 'tomorrow', '5y', '-1d', '2027-13-01', '31.01.2027', '999999999999d']) {
    assert.throws(() => parseExpiry(text, now), /neither a time such as .* nor a span/, text);
  }
});
