import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bootTest } from 'plugboard/testing';

async function answers(server: object): Promise<(host: string) => Promise<boolean>> {
  const booted = await bootTest({ server });
  return async (host) => {
    const { statusCode } = await booted.inject({ url: '/-/live', headers: { host } });
    assert.ok(statusCode === 200 || statusCode === 421, String(statusCode));
    return statusCode === 200;
  };
}

test('a server on the loopback address answers to addresses and localhost, and to no name of the web', async () => {
  const answersTo = await answers({});
  for (const host of [
    'localhost:8080',
    'LOCALHOST',
    'app.localhost',
    '127.0.0.1:8080',
    '[::1]:8080',
    '192.168.0.7',
  ])
    assert.equal(await answersTo(host), true, host);
  for (const host of [
    'evil.example',
    'evil.example:8080',
    'localhost.evil.example',
    'notlocalhost',
    '127.0.0.1.evil.example',
  ])
    assert.equal(await answersTo(host), false, host);
});

test('a name in server.allowedHosts is answered, whatever its case, its port or its last dot', async () => {
  const answersTo = await answers({ allowedHosts: ['Api.Example'] });
  for (const host of ['api.example', 'API.example:443', 'api.example.'])
    assert.equal(await answersTo(host), true, host);
  assert.equal(await answersTo('other.example'), false);
});

test('any name is answered with "*", behind a trusted proxy, and on an address that others reach', async () => {
  for (const server of [{ allowedHosts: ['*'] }, { trustProxy: true }, { host: '0.0.0.0' }])
    assert.equal(await (await answers(server))('api.example'), true, JSON.stringify(server));
});

test('the refusal names the setting', async () => {
  await using server = await bootTest();
  const answer = await server.inject({ url: '/-/live', headers: { host: 'evil.example:8080' } });
  const { code, message } = answer.json<{ code: string; message: string }>();
  assert.equal(code, 'misdirected');
  assert.match(message, /"evil\.example": add it to server\.allowedHosts/);
});
