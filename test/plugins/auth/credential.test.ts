import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCredential, type SentCredential } from '../../../plugins/auth/guard/credential.js';
import { isApiKey, keyPreview, newApiKey } from '../../../plugins/auth/keys/key-format.js';

const KEY = newApiKey();
const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;

test('a credential is read from Authorization, then X-API-Key, then the session cookie', () => {
  const none: SentCredential = { kind: 'none' };
  const malformed: SentCredential = { kind: 'malformed' };
  const key: SentCredential = { kind: 'key', key: KEY };
  const cases: [name: string, headers: Record<string, string>, cookie: string | undefined, SentCredential][] =
    [
      ['nothing', {}, undefined, none],
      ['key as bearer token', { authorization: `Bearer ${KEY}` }, undefined, key],
      ['scheme in any case', { authorization: `bEaReR  ${KEY} ` }, undefined, key],
      ['key as Octokit sends it', { authorization: `token ${KEY}` }, undefined, key],
      ['key in X-API-Key', { 'x-api-key': KEY }, undefined, key],
      [
        'Authorization before X-API-Key',
        { authorization: 'token abc', 'x-api-key': KEY },
        undefined,
        { kind: 'token', scheme: 'token', token: 'abc' },
      ],
      ['header before cookie', { 'x-api-key': KEY }, 'session', key],
      ['cookie', {}, 'session', { kind: 'session', token: 'session' }],
      [
        'other text as bearer token',
        { authorization: 'Bearer sk-1' },
        undefined,
        { kind: 'token', scheme: 'bearer', token: 'sk-1' },
      ],
      [
        'other text in X-API-Key',
        { 'x-api-key': 'sk-1' },
        undefined,
        { kind: 'token', scheme: 'bearer', token: 'sk-1' },
      ],
      [
        'login and password',
        { authorization: basic('ann:pass') },
        undefined,
        { kind: 'basic', login: 'ann', password: 'pass' },
      ],
      [
        'colons in a password',
        { authorization: basic('ann:a:b:') },
        undefined,
        { kind: 'basic', login: 'ann', password: 'a:b:' },
      ],
      [
        'UTF-8',
        { authorization: basic('änn:wörd') },
        undefined,
        { kind: 'basic', login: 'änn', password: 'wörd' },
      ],
      [
        'empty password',
        { authorization: basic('ann:') },
        undefined,
        { kind: 'basic', login: 'ann', password: '' },
      ],
      ['Basic without a colon', { authorization: basic('ann') }, undefined, malformed],
      ['Basic that is not base64', { authorization: 'Basic ann:pass' }, undefined, malformed],
      ['empty bearer token', { authorization: 'Bearer ' }, undefined, malformed],
      ['scheme alone', { authorization: 'Bearer' }, undefined, malformed],
      ['empty header', { authorization: '' }, undefined, malformed],
      ['unknown scheme', { authorization: 'Digest username="ann"' }, undefined, malformed],
      ['empty X-API-Key', { 'x-api-key': '' }, undefined, malformed],
    ];
  for (const [name, headers, cookie, expected] of cases) {
    assert.deepEqual(readCredential(headers, cookie), expected, name);
  }
});

test('a key has its form, is random, and shows only its end', () => {
  assert.match(KEY, /^pb_[\w-]{43}$/);
  assert.notEqual(newApiKey(), KEY);
  assert.equal(isApiKey(KEY), true);
  for (const text of ['', 'pb_', 'pb_short', `xx_${KEY.slice(3)}`, `${KEY} `, `pb_${'a'.repeat(129)}`]) {
    assert.equal(isApiKey(text), false, text);
  }
  assert.equal(keyPreview(KEY), `pb_...${KEY.slice(-4)}`);
});
