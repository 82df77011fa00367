import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AUTH, definePlugin, Type } from 'plugboard/sdk';
import { bootTest } from 'plugboard/testing';

/** Needs auth, as nearly every plugin does, and says something when it is asked whether it is ready. */
const plugin = definePlugin({
  name: 'checked',
  api: 1,
  config: Type.Object({}, { additionalProperties: false }),
  needs: { auth: AUTH },
  setup: () => ({ check: () => ({ upstream: 'http://10.0.0.1' }) }),
});

const DOCUMENTS = ['/-/openapi.json', '/-/docs/json', '/-/docs/yaml'];
const PAGES = ['/-/metrics', '/-/config', '/-/docs', '/-/docs/static/index.html', ...DOCUMENTS];

for (const server of [{ host: '0.0.0.0' }, { host: '127.0.0.1', trustProxy: ['loopback'] }]) {
  test(`operations pages ask for management on ${JSON.stringify(server)}`, async () => {
    await using booted = await bootTest({ plugins: [{ plugin }], server });
    const authorization = `Bearer ${await booted.key('manage')}`;
    for (const url of PAGES) {
      assert.equal((await booted.inject(url)).statusCode, 401, url);
      const allowed = (await booted.inject({ url, headers: { authorization } })).statusCode;
      assert.ok(allowed === 200 || allowed === 302, `${url} ${allowed}`);
    }
    assert.equal((await booted.inject('/-/live')).statusCode, 200);
    assert.deepEqual((await booted.inject('/-/ready')).json(), { status: 'ready' });
    const told = await booted.inject({ url: '/-/ready', headers: { authorization } });
    assert.match(told.body, /10\.0\.0\.1/);
  });
}

test('operations pages are open on the loopback address, and where the config opens them', async () => {
  for (const server of [{}, { host: '0.0.0.0', operations: { open: true } }]) {
    await using booted = await bootTest({ plugins: [{ plugin }], server });
    for (const url of PAGES) assert.ok((await booted.inject(url)).statusCode < 400, url);
    assert.match((await booted.inject('/-/ready')).body, /10\.0\.0\.1/);
    const documents = await Promise.all(
      DOCUMENTS.map(async (url) => (await booted.inject(url)).json<unknown>()),
    );
    for (const document of documents) assert.deepEqual(document, documents[0]);
  }
});

test('without an auth provider the pages say how to open them', async () => {
  await using booted = await bootTest({ server: { host: '0.0.0.0' } });
  const answer = await booted.inject('/-/metrics');
  assert.equal(answer.statusCode, 403);
  assert.match(answer.body, /server\.operations\.open/);
});

test('the address of a client is taken from proxies that are trusted, and from nobody else', async () => {
  const address = definePlugin({
    name: 'address',
    api: 1,
    config: Type.Object({}, { additionalProperties: false }),
    setup: () => ({ routes: (app) => void app.get('/address', ({ ip }) => ({ ip })) }),
  });
  await using booted = await bootTest({
    plugins: [{ plugin: address }],
    server: { trustProxy: ['10.0.0.0/8', '2001:db8::/32'] },
  });
  const seen = async (remoteAddress: string, forwarded: string): Promise<string> => {
    const headers = { 'x-forwarded-for': forwarded };
    return (await booted.inject({ url: '/address', remoteAddress, headers })).json<{ ip: string }>().ip;
  };
  assert.equal(await seen('10.1.2.3', '192.0.2.7'), '192.0.2.7');
  assert.equal(await seen('10.1.2.3', '6.6.6.6, 192.0.2.7, 10.9.9.9'), '192.0.2.7');
  assert.equal(await seen('192.0.2.1', '6.6.6.6'), '192.0.2.1');
});

test('a proxy that is not an address is a problem of the config', async () => {
  for (const wrong of ['proxy.example', '10.0.0', '10.0.0.1/x'])
    await assert.rejects(bootTest({ server: { trustProxy: [wrong] } }), /server\.trustProxy/, wrong);
});
