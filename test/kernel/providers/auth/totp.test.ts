import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  encodeBase32,
  matchingStep,
  newTotpSecret,
  totpCode,
  totpStep,
  totpUri,
} from '../../../../kernel/providers/auth/users/totp.js';

const RFC_SECRET = encodeBase32(Buffer.from('12345678901234567890'));

test('base32 is that of RFC 4648 section 10, without padding', () => {
  const vectors = {
    '': '',
    f: 'MY',
    fo: 'MZXQ',
    foo: 'MZXW6',
    foob: 'MZXW6YQ',
    fooba: 'MZXW6YTB',
    foobar: 'MZXW6YTBOI',
  };
  for (const [plain, encoded] of Object.entries(vectors))
    assert.equal(encodeBase32(Buffer.from(plain)), encoded);
});

test('codes are those of RFC 6238 appendix B, cut to six digits', () => {
  const vectors: [seconds: number, code: string][] = [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ];
  for (const [seconds, code] of vectors) assert.equal(totpCode(RFC_SECRET, totpStep(seconds * 1000)), code);
});

test('a code of the step before or after is accepted, of two steps away it is not', () => {
  const now = 1_700_000_000_000;
  const present = totpStep(now);
  for (const [offset, expected] of [
    [-2, undefined],
    [-1, -1],
    [0, 0],
    [1, 1],
    [2, undefined],
  ] as const) {
    const step = matchingStep(RFC_SECRET, totpCode(RFC_SECRET, present + offset), now);
    assert.equal(step, expected === undefined ? undefined : present + expected);
  }
});

test('text that is no code matches nothing', () => {
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
