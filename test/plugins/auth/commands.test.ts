import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bootTest, type TestServer } from 'plugboard/testing';
import { eventually } from '../../support/eventually.js';
import { ADMIN_PASSWORD, basic, bearer, guarded, outcome } from './support.js';

const plugins = [
  { plugin: guarded({ bearer: { accepts: 'bearer', scope: 'x' }, user: { accepts: 'basicUser' } }) },
];
const auth = { adminPassword: ADMIN_PASSWORD };

test('keys create prints the key alone, keys list never, and keys revoke ends it', async () => {
  await using server = await bootTest({ plugins, auth });
  const created = await server.command([
    'keys',
    'create',
    'laptop',
    '--scope',
    'x',
    '--scope',
    'y',
    '--expires',
    '90d',
  ]);
  assert.match(created.stdout, /^pb_[\w-]{43}\n$/);
  const key = created.stdout.trim();
  const id = /its id is (\S+)/.exec(created.stderr)?.[1] ?? '';
  assert.equal(await use(server, '/guarded/bearer', bearer(key)), '200 key');

  const list = await server.command(['keys', 'list']);
  assert.match(
    list.stdout,
    new RegExp(`^${id}  laptop +pb_\\.\\.\\.${key.slice(-4)} +x y .* until \\d{4}-`, 'm'),
  );
  assert.ok(!list.stdout.includes(key));

  assert.equal(
    (await server.command(['keys', 'revoke', id])).stdout,
    `revoked laptop (pb_...${key.slice(-4)})\n`,
  );
  // A command is another process to a server, which learns of the revocation from the change feed.
  const revoked = async (): Promise<boolean> =>
    (await use(server, '/guarded/bearer', bearer(key))) === '401 api_key_revoked';
  await eventually(revoked, 'the server refuses the revoked key');
  assert.match((await server.command(['keys', 'list'])).stdout, /laptop .* revoked \d{4}-/);
});

test('users and applications are made, listed and removed', async () => {
  await using server = await bootTest({ plugins, auth });
  const ann = await server.command(['users', 'create', 'ann', '--name', 'Ann Lee']);
  const password = /password \(shown once\): (\S+)/.exec(ann.stdout)?.[1] ?? '';
  assert.equal(await use(server, '/guarded/user', basic('ann', password)), '200 user');
  await server.command(['users', 'password', 'ann', '--password-stdin'], 'another password\n');
  assert.equal(await use(server, '/guarded/user', basic('ann', 'another password')), '200 user');
  assert.match(
    (await server.command(['users', 'otp', 'ann'])).stdout,
    /secret \(shown once\): [A-Z2-7]{32}\notpauth:/,
  );
  assert.match((await server.command(['users', 'list'])).stdout, /^1 +ann +User +Ann Lee +- +yes /m);
  assert.equal((await server.command(['users', 'otp', 'ann', '--off'])).code, 0);
  assert.equal((await server.command(['users', 'delete', 'ANN'])).stdout, 'deleted ANN\n');

  const app = await server.command(['apps', 'create', 'bot', '--url', 'https://example.com']);
  const clientId = /client id: +([0-9a-f]{20})\n/.exec(app.stdout)?.[1] ?? '';
  assert.match((await server.command(['apps', 'list'])).stdout, new RegExp(`^${clientId}  bot `, 'm'));
  assert.match(
    (await server.command(['apps', 'secret', clientId])).stdout,
    /client secret \(shown once\): [0-9a-f]{40}\n/,
  );
  assert.equal((await server.command(['apps', 'delete', clientId])).code, 0);
});

test('a mistake is told in its first line, with exit code 2', async () => {
  await using server = await bootTest({ plugins, auth });
  await server.command(['users', 'create', 'ann']);
  const cases: [words: string[], message: RegExp][] = [
    [['keys', 'create'], /^NAME is missing\n/],
    [['keys', 'create', 'a', 'b'], /^unexpected argument "b"\n/],
    [['keys', 'create', ''], /^NAME is blank$/],
    [['keys', 'create', ' '], /^NAME is blank$/],
    [['keys', 'create', 'a', '--scope', 'manag'], /^unknown scope "manag"; did you mean "manage"\?/],
    [['keys', 'create', 'a', '--expires', 'soon'], /^--expires "soon" is neither/],
    [['keys', 'create', 'a', '--expires', '2020-01-01'], /must be in the future$/],
    [['keys', 'revoke', 'nothing'], /^there is no API key with the id "nothing"$/],
    [['users', 'create', 'ann'], /^the login "ann" is taken$/],
    [['users', 'create', 'no login'], /^invalid login "no login"/],
    [['users', 'create', 'bob', '--email', 'bob'], /^invalid email address "bob"$/],
    [['users', 'create', 'bob', '--password-stdin'], /at least 12 characters$/],
    [['users', 'delete', 'bob'], /^there is no user "bob"/],
    [['apps', 'create', 'bot'], /^--url URL is missing or is no URL$/],
    [['apps', 'delete', '0'], /^there is no application "0"/],
  ];
  for (const [words, message] of cases) {
    const { code, stderr, stdout } = await server.command(words);
    assert.deepEqual([code, stdout], [2, ''], words.join(' '));
    assert.match(stderr.trimEnd(), message);
  }
});

async function use(server: TestServer, url: string, headers: Record<string, string>): Promise<string> {
  return outcome(await server.inject({ url, headers }));
}
