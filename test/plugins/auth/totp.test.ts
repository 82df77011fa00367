import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Secret } from 'otpauth';
import { matchingStep, newTotpSecret, totpUri } from '../../../plugins/auth/users/totp.js';
import { totp } from '../../support/totp.js';

const RFC_SECRET = Secret.fromLatin1('12345678901234567890').base32;

test('codes are those of RFC 6238 appendix B, cut to six digits', () => {
  const vectors: [seconds: number, code: string][] = [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ];
  for (const [seconds, code] of vectors)
    assert.equal(matchingStep(RFC_SECRET, code, seconds * 1000), Math.floor(seconds / 30));
});

test('a code of the step before or after is accepted, of two steps away it is not', () => {
  const now = 1_700_000_000_000;
  const present = Math.floor(now / 30_000);
  for (const [offset, expected] of [
    [-2, undefined],
    [-1, -1],
    [0, 0],
    [1, 1],
    [2, undefined],
  ] as const) {
    const step = matchingStep(RFC_SECRET, totp(RFC_SECRET, now + offset * 30_000), now);
    assert.equal(step, expected === undefined ? undefined : present + expected);
  }
});

test('a text that is not six digits matches nothing', () => {
  for (const code of ['', '12345', '1234567', 'abcdef', '１２３４５６']) {
    assert.equal(matchingStep(RFC_SECRET, code, 59_000), undefined);
  }
});

test('a new secret has 160 bits and makes a key URI', () => {
  const secret = newTotpSecret();
  assert.match(secret, /^[A-Z2-7]{32}$/);
  const uri = new URL(totpUri(secret, 'ann'));
  assert.equal(uri.protocol, 'otpauth:');
  assert.equal(uri.searchParams.get('secret'), secret);
});
