import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { SECRETS } from 'plugboard/sdk';
import { bootTest, LogLines } from 'plugboard/testing';
import { totp } from '../../support/totp.js';
import { basic, bearer, guarded, login } from './support.js';

test('no secret of a whole run is in its log at level trace, nor in an error', async () => {
  const log = new LogLines();
  const stdout = new PassThrough();
  const shown = text(stdout);
  const sealKey = randomBytes(32).toString('base64');
  const plugins = [
    {
      plugin: guarded({
        bearer: { accepts: 'bearer', scope: 'x' },
        user: { accepts: 'basicUser' },
        app: { accepts: 'basicApp' },
        token: { accepts: 'token' },
      }),
    },
  ];
  const server = await bootTest({ plugins, secrets: { keys: [sealKey] }, log, stdout });
  stdout.end();
  const password = /admin password +(\S+)/.exec(await shown)?.[1] ?? '';
  const firstKey = /first API key +(\S+)/.exec(await shown)?.[1] ?? '';
  const errors: string[] = [];
  const call = async <T>(request: Parameters<typeof server.inject>[0]): Promise<T> => {
    const answer = await server.inject(request);
    if (answer.statusCode >= 400) errors.push(answer.body);
    return (answer.body === '' ? {} : answer.json()) as T;
  };
  const admin = bearer(firstKey);
  const post = <T>(url: string, payload?: object): Promise<T> =>
    call({ method: 'POST', url, headers: admin, ...(payload && { payload }) });

  const session = String((await login(server, password)).headers['set-cookie']).split(/[=;]/)[1] ?? '';
  const { csrfToken } = await call<{ csrfToken: string }>({
    url: '/api/auth/status',
    headers: { cookie: `plugboard_session=${session}` },
  });
  const { key } = await post<{ key: string }>('/api/keys', { name: 'a' });
  const { clientId, clientSecret } = await post<Record<'clientId' | 'clientSecret', string>>('/api/apps', {
    name: 'a',
    url: 'https://example.com',
  });
  const userPassword = 'the password of ann';
  await post('/api/users', { login: 'ann', password: userPassword });
  const { secret } = await post<{ secret: string }>('/api/users/1/otp');
  const otp = totp(secret, Date.now());
  const sealed = 'a sealed secret';
  server.service(SECRETS).open(server.service(SECRETS).seal(sealed, 'test'), 'test');

  const wrongPassword = 'a password typed wrongly';
  const foreignToken = randomBytes(20).toString('hex');
  for (const url of ['bearer', 'user', 'app', 'token'].map((name) => `/guarded/${name}`)) {
    for (const headers of [
      bearer(key),
      { 'x-api-key': key },
      bearer(foreignToken),
      basic('ann', userPassword),
      { ...basic('ann', userPassword), 'x-github-otp': otp },
      basic('ann', wrongPassword),
      basic(clientId, clientSecret),
    ])
      await call({ url, headers });
  }
  await login(server, wrongPassword);
  await post('/api/auth/password', { currentPassword: password, newPassword: 'the new password' });
  await post('/api/auth/password', { currentPassword: password, newPassword: 7 });
  await post('/api/keys', { name: 'a', secret: clientSecret });
  await server.stop();

  const secrets = {
    password,
    firstKey,
    sealKey,
    session,
    csrfToken,
    key,
    clientSecret,
    userPassword,
    secret,
    sealed,
    wrongPassword,
    foreignToken,
    newPassword: 'the new password',
    basic: Buffer.from(`ann:${userPassword}`).toString('base64'),
  };
  assert.ok(errors.length > 10);
  for (const [name, value] of Object.entries(secrets)) {
    assert.ok(value.length >= 10, name);
    for (const output of [...log.lines, ...errors])
      assert.ok(!output.includes(value), `${name} in ${output}`);
  }
});
